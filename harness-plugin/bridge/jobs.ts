import type { Outcome } from './outcome.ts'

/** A job without what it wrote. */
export interface JobState {
  readonly id: string
  /** The listing's `fullName`. */
  readonly listing: string
  readonly profile: string
  readonly command: string
  readonly state: 'queued' | 'running' | 'cancelling' | 'done'
  /** Jobs of the same profile before it. */
  readonly position: number
  readonly queuedAt: number
  readonly startedAt: number | null
  readonly endedAt: number | null
  readonly outcome: Outcome | null
}

export interface Job extends JobState {
  /** The last lines that it wrote, without terminal codes. */
  readonly output: readonly string[]
  /** Earlier lines that are no longer kept. */
  readonly dropped: number
}
