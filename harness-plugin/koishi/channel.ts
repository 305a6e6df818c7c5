/** Names on the console's connection, which all its plugins share. */
export const callEvent = (call: string): string => `plugmark/${call}`
export const PUSH_EVENT = 'plugmark/event'
