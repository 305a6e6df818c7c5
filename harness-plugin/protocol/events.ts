import type { JobState } from './jobs.ts'
import type { CatalogueStatus } from './listings.ts'
import type { Overview } from './overview.ts'
import type { Profile } from './profiles.ts'

/** What is pushed to a page. `output` continues a job's lines: `from` counts every line it ever wrote. */
export type StoreEvent =
  | { readonly type: 'catalogue'; readonly status: CatalogueStatus }
  | { readonly type: 'job'; readonly job: JobState }
  | { readonly type: 'output'; readonly job: string; readonly from: number; readonly lines: readonly string[] }
  | { readonly type: 'program'; readonly program: Overview['program'] }
  | { readonly type: 'profiles'; readonly profiles: readonly Profile[] }
