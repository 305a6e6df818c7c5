/** Limits of what a page sends. Pages load this file, so it has no schemas. */

/** Largest call, as JSON, in bytes. */
export const MAX_CALL_BYTES = 512 * 1024
/** Largest text of a file, as JSON, in bytes: a call has little beside it. */
export const MAX_FILE_BYTES = 500_000
/** Most plugins of a file, and of one job: a profile with more updates them in two jobs. */
export const MAX_PLUGINS = 500
/** Longest reason of a hold, in characters. */
export const MAX_REASON = 200
/** Longest text of a setting, in characters. */
export const MAX_SETTING = 1000
