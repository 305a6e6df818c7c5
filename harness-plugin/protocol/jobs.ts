import type { Outcome } from './outcome.ts'

/**
 * - `install`: the listing's install command
 * - `approve`: the same, after the build scripts that were blocked have been allowed
 * - `update`: the newest version of a plugin that the profile has
 * - `remove`: the plugin leaves the profile
 * - `enable`, `disable`: a plugin that the profile has becomes a layer that the harness boots, or no longer is one; only
 *   in a harness with a plugin manager, in the profile that it runs from
 */
export type JobAction = 'install' | 'approve' | 'update' | 'remove' | 'enable' | 'disable'

/**
 * What a job does to a profile as a whole. No page asks for it.
 * - `undo`: takes the profile's last change back
 * - `repair`: makes the harness start from the profile again
 */
export type ProfileAction = 'undo' | 'repair'

/**
 * What a running job is at.
 * - `preparing`: the profile is copied
 * - `trying`: the command runs in the copy
 * - `starting`: the harness starts from the copy
 * - `installing`: the command runs in the profile
 * - `checking`: the profile is read, then kept or put back
 *
 * Without a trial there is no `trying` and no `starting`.
 */
export type JobStage = 'preparing' | 'trying' | 'starting' | 'installing' | 'checking'

/** A job without what it wrote. */
export interface JobState {
  readonly id: string
  /** Of a job of several listings, that of the first. */
  readonly action: JobAction | ProfileAction
  /** The listing's `fullName`; of several, the first; of an undo, that of the change it takes back; null for a repair. */
  readonly listing: string | null
  /** The other listings of a job of several. */
  readonly more: readonly string[]
  readonly profile: string
  /** Null for what the plugin manager alone does. */
  readonly command: string | null
  readonly state: 'queued' | 'running' | 'cancelling' | 'done'
  /** What it goes through, in order. */
  readonly stages: readonly JobStage[]
  /** Null before it runs and after it ended. */
  readonly stage: JobStage | null
  /** Jobs of the same profile before it. */
  readonly position: number
  /** It is its turn, and it waits for another program that works on the profile. */
  readonly profileBusy: boolean
  readonly queuedAt: number
  readonly startedAt: number | null
  readonly endedAt: number | null
  /**
   * The harness as it started from the copy. A page shows it in a hidden frame, which tries the plugin's browser half;
   * the frame tells the host itself. Null whenever there is nothing to show.
   */
  readonly trial: { readonly url: string } | null
  readonly outcome: Outcome | null
}

export interface Job extends JobState {
  /** The last lines that it wrote, without terminal codes. */
  readonly output: readonly string[]
  /** Earlier lines that are no longer kept. */
  readonly dropped: number
}
