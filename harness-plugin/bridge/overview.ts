import type { Job } from './jobs.ts'
import type { Profile } from './profiles.ts'

export interface Overview {
  /** Program that install commands name. */
  readonly cli: string
  /** Address of the directory. */
  readonly directory: string
  readonly profiles: readonly Profile[]
  /** The profile that is offered first; it may be missing from `profiles`. */
  readonly profile: string
  /** Whether the harness's program is there to be started. */
  readonly harness: 'found' | 'missing'
  /** The program that installs and trials start, with its leading arguments, and its version once it has said it. */
  readonly program: { readonly command: string; readonly version: string | null }
  /** The profile is the Desktop app's, which installs without a trial. */
  readonly desktop: boolean
  /** Command that starts the harness which this store runs in; null where it runs in another program. */
  readonly restart: string | null
  readonly jobs: readonly Job[]
}
