import type { CallName, HarnessUpgrade, JobState } from '../protocol/index.ts'

/** Names on the console's connection, which all its plugins share. */
export const callEvent = (call: CallName): string => `plugmark/${call}`
/** Returns what the status bar of the console shows, as `ShellStatus`. */
export const STATUS_EVENT = 'plugmark/status'
export const PUSH_EVENT = 'plugmark/event'

/** The jobs that have not ended, and the upgrade of the harness that turned plugins off, as far as it is known. */
export interface ShellStatus {
  readonly jobs: readonly JobState[]
  readonly upgrade: HarnessUpgrade | null
}

export interface PageData {
  readonly authority: number
  /** The console has a log-in: the auth plugin is loaded. */
  readonly hasLogin: boolean
}
