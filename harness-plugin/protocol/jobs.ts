import type { Outcome } from './outcome.ts'

/**
 * - `install`: runs the listing's install command; the review of a plugin that is installed but disabled is an `enable`
 * - `approve`: the same, after allowing the build scripts that were blocked; for an installed plugin its review is an
 *   `update` with an approval
 * - `update`: installs the newest version of an installed plugin
 * - `remove`: removes an installed plugin
 * - `enable`, `disable`: makes an installed plugin a layer that the harness boots, or ends that. A running harness with a
 *   plugin manager does so at once, any other harness at its next start
 */
export const JOB_ACTIONS = ['install', 'approve', 'update', 'remove', 'enable', 'disable'] as const
export type JobAction = (typeof JOB_ACTIONS)[number]

/**
 * Actions of a job on a profile as a whole.
 * - `undo`: reverts the profile's last change
 * - `repair`: makes the reviewed steps of a repair, and makes the harness start from the profile again
 */
export const PROFILE_ACTIONS = ['undo', 'repair'] as const
export type ProfileAction = (typeof PROFILE_ACTIONS)[number]

/**
 * The stages of a job, in their order.
 * - `preparing`: the profile is copied
 * - `trying`: the command runs in the copy
 * - `starting`: the harness starts from the copy
 * - `installing`: the command runs in the profile
 * - `checking`: the profile is verified, then kept or rolled back
 *
 * Without a trial there is no `trying` and no `starting`.
 */
export const JOB_STAGES = ['preparing', 'trying', 'starting', 'installing', 'checking'] as const
export type JobStage = (typeof JOB_STAGES)[number]

/** A job without its output. */
export interface JobState {
  readonly id: string
  /** In a job of several listings, the action of the first. */
  readonly action: JobAction | ProfileAction
  /** The listing's `fullName`; of several, the first; of an undo, that of the change it reverts; null for a repair. */
  readonly listing: string | null
  /** The other listings of a job of several. */
  readonly more: readonly string[]
  readonly profile: string
  /** Null when the plugin manager does it without a command. */
  readonly command: string | null
  readonly state: 'queued' | 'running' | 'cancelling' | 'done'
  /** The stages of this job, in order. */
  readonly stages: readonly JobStage[]
  /** Null before the job runs and after it ended. */
  readonly stage: JobStage | null
  /** Number of jobs of the same profile before it. */
  readonly position: number
  /** True if it is next, and waits for another program that has locked the profile. */
  readonly profileBusy: boolean
  readonly queuedAt: number
  readonly startedAt: number | null
  readonly endedAt: number | null
  /**
   * The harness that was started from the copy. A page loads it in a hidden frame to test the plugin's browser half;
   * the frame reports to the host itself. Null when there is nothing to load.
   */
  readonly trial: { readonly url: string } | null
  readonly outcome: Outcome | null
}

export interface Job extends JobState {
  /** Its last lines of output, without terminal codes. */
  readonly output: readonly string[]
  /** Number of earlier lines that were discarded. */
  readonly dropped: number
}
