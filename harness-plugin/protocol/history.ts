import type { JobState } from './jobs.ts'
import type { Outcome } from './outcome.ts'

/** A dependency of a profile before or after a job. */
export interface InstalledVersion {
  /** Null when the package is missing or has no version. */
  readonly version: string | null
  /** Abbreviated commit of a dependency from a repository; null for any other. */
  readonly commit: string | null
  /** True if the harness boots it as a layer. */
  readonly enabled: boolean
}

/** A dependency that a job changed. `before` is null when the job added it, `after` when the job removed it. */
export interface PackageChange {
  readonly name: string
  readonly before: InstalledVersion | null
  readonly after: InstalledVersion | null
}

/** A job that ran on a profile, as the profile keeps it for all shells. */
export interface HistoryEntry extends Pick<JobState, 'id' | 'action' | 'listing' | 'more' | 'command' | 'queuedAt'> {
  readonly startedAt: number
  readonly endedAt: number
  /** Shell that ran it: `dsh`, `koishi` or `cli`; `agent` for an agent of the harness; empty when it is unknown. */
  readonly client: string
  readonly outcome: Outcome
  /** Empty for a job that failed and was rolled back. */
  readonly changes: readonly PackageChange[]
}
