import type { Outcome, OutcomeKind, ProfileOutcome, Trial } from '../../bridge/index.ts'
import type { FindingWords } from './finding/types.ts'

/** What became of an install, and what to do next. */
export interface OutcomeWords {
  readonly title: string
  readonly next: string
}

/** Every word of the screen that is not an id of the contract; those are in `@plugmark/shared/locale`. */
export interface StoreWords {
  readonly finding: FindingWords
  readonly title: string
  readonly subtitle: string
  readonly category: string
  stars(count: string): string
  readonly install: string
  installNamed(name: string): string
  readonly installing: string
  readonly queued: string
  readonly installed: string
  readonly back: string
  readonly noSummary: string
  readonly source: string
  sourceOf(name: string): string
  readonly license: string
  readonly noLicense: string
  readonly package: string
  readonly language: string
  readonly check: string
  checkedOn(verdict: string, date: string | null): string
  readonly risks: string
  readonly noRisks: string
  readonly builds: string
  readonly buildsSentence: string
  readonly pickOne: string
  harnessMissing(cli: string): string
  readonly noProfiles: string
  readonly review: {
    title(name: string): string
    readonly loading: string
    readonly command: string
    checkedAs(command: string): string
    readonly profile: string
    readonly rights: string
    readonly understood: string
    readonly confirm: string
    readonly cancel: string
    readonly close: string
  }
  readonly job: {
    title(name: string, profile: string): string
    /** 0: another program works on the profile. */
    queued(ahead: number): string
    readonly running: string
    readonly cancelling: string
    readonly cancel: string
    readonly hide: string
    readonly output: string
    readonly noOutput: string
    readonly outputGone: string
    dropped(count: number): string
    readonly jobs: string
  }
  readonly outcome: Readonly<Record<OutcomeKind, (subjects: readonly string[]) => OutcomeWords>>
  /** How the profile stands after an install that did not register its plugin. */
  undo(undo: NonNullable<Outcome['undo']>, profile: ProfileOutcome | null): string
  /** What was tried before the profile was touched. */
  tried(trial: Trial): string
  /** A command that takes out by hand what does harm. */
  rescue(command: string): string
  /** Why a call was refused, by its code; `other` for the rest. */
  readonly refused: Readonly<Record<string, string>> & { readonly other: string }
}
