import type { Caution, Compatibility, JobAction, JobStage, Review } from '../../protocol/index.ts'
import type { Way } from '../../view/installing/ways.ts'

/** What stands on the review sheet. */
export interface ReviewWords {
  readonly title: Readonly<Record<JobAction, (name: string) => string>>
  readonly loading: string
  readonly command: string
  /** The command that the install check ran, where that is another. */
  checkedAs(command: string): string
  readonly spec: string
  specPackage(name: string): string
  specRepository(name: string): string
  readonly profile: Readonly<Record<JobAction, string>>
  currentProfile(name: string): string
  /** What the job does, where its name does not say it all. */
  readonly does: Readonly<Partial<Record<JobAction, string>>>
  readonly rights: string
  /** What is tried in a copy first; the plugin's code runs there too, unless it is the one that leaves. */
  readonly trial: string
  readonly trialWithout: string
  /** What becomes of the profile's other plugins there. */
  readonly otherPlugins: Readonly<Record<NonNullable<Review['otherPlugins']>, string>>
  readonly noTrial: string
  /** Instead of that, in the Desktop app. */
  readonly desktop: string
  readonly approval: {
    readonly title: string
    keys(setting: string): string
    /** What keys with a version allow, and what keys without one do. */
    readonly otherVersion: string
    readonly everyVersion: string
    readonly unknownScripts: string
  }
  readonly compatibility: {
    readonly title: string
    readonly loading: string
    /** What it asks for cannot be known beforehand. */
    readonly unknown: string
    /** What it asks for, which harness this is, and what that means. */
    sentence(compatibility: Pick<Compatibility, 'state' | 'harnessVersion' | 'requirements'>): string
    /** Where it is installed all the same. */
    readonly caution: string
  }
  /** Of the verdict, its own sentence is one. */
  readonly cautions: Readonly<Record<Exclude<Caution, 'verdict'>, string>>
  readonly understood: string
  readonly confirm: Readonly<Record<JobAction, string>>
  readonly again: string
  readonly cancel: string
  readonly close: string
}

export interface JobWords {
  readonly title: Readonly<Record<JobAction, (name: string, profile: string) => string>>
  /** It is its turn. */
  readonly starting: string
  /** It is its turn, and another program has the profile. */
  readonly profileBusy: string
  /** Others of the same profile come first. */
  behind(ahead: number): string
  readonly running: Readonly<Record<JobAction, string>>
  readonly cancelling: string
  readonly cancel: string
  readonly hide: string
  /** Unfolds what a job did. */
  readonly details: string
  /** Above jobs that have ended. */
  readonly recent: string
  readonly elapsed: string
  readonly stages: string
  /** `installing` is called by what is done there. */
  readonly stage: Readonly<Record<Exclude<JobStage, 'installing'>, string>>
  readonly working: Readonly<Record<JobAction, string>>
  step(step: number, of: number): string
  /** Jobs that have not begun. */
  readonly waiting: string
  cancelNamed(title: string): string
  /** Of a job that has ended. */
  readonly ways: Readonly<Record<Way, string>>
  readonly log: { readonly copy: string; readonly copied: string; readonly failed: string }
  readonly output: string
  readonly noOutput: string
  readonly outputGone: string
  dropped(count: number): string
}

export interface InstallingWords {
  readonly review: ReviewWords
  readonly job: JobWords
}
