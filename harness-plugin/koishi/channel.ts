import type { CallName } from '../protocol/index.ts'

/** Names on the console's connection, which all its plugins share. */
export const callEvent = (call: CallName): string => `plugmark/${call}`
export const PUSH_EVENT = 'plugmark/event'
