import type { CallName } from '../protocol/index.ts'

/** Names on the console's connection, which all its plugins share. */
export const callEvent = (call: CallName): string => `plugmark/${call}`
/** Returns the jobs that have not ended. */
export const JOBS_EVENT = 'plugmark/jobs'
export const PUSH_EVENT = 'plugmark/event'

/** Sent to every page of the console with the address of ours. */
export interface PageData {
  /** Authority that a user needs to see the page, with the auth plugin. */
  readonly authority: number
  /** The console has a log-in: the auth plugin is loaded. */
  readonly hasLogin: boolean
}
