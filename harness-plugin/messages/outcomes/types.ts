import type { JobAction, Outcome, OutcomeKind, ProfileOutcome, Restart, TrialReport } from '../../protocol/index.ts'

/** What became of a job, and what to do next. */
export interface OutcomeWords {
  readonly title: string
  readonly next: string
}

/** The end of a job, as far as its words depend on it. */
export type Ending = Pick<Outcome, 'subjects' | 'activation'> & { readonly action: JobAction }

export interface OutcomesWords {
  readonly outcome: Readonly<Record<OutcomeKind, (ending: Ending) => OutcomeWords>>
  /** How the profile stands after a job that did not do what it was for. */
  rollback(rollback: NonNullable<Outcome['rollback']>, profile: ProfileOutcome | null): string
  /** Where in the profile's directory that is which could not be read. */
  quarantined(names: readonly string[]): string
  /** What was tried before the profile was touched. */
  trial(trial: TrialReport): string
  /** Stands before a command that takes out by hand what does harm. */
  readonly removeCommand: string
  /** Stands before the harness's command that accepts a plugin which it refuses. */
  readonly allowCommand: string
  /** Stands before the command that restarts the harness, or on the link to the page that does. */
  readonly restart: Readonly<Record<Restart['by'], string>>
}
