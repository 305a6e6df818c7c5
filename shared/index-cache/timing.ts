/** Time limits of the index cache, in ms. Those that the contract fixes are in `../contract/constants.ts`. */

/** Limit for reading the store; the first read after a browser start takes 100. */
export const READ_LIMIT_MS = 4_000
/** Limit for writing the store; a large index on a slow disk takes seconds. */
export const WRITE_LIMIT_MS = 10_000
/** Limit for reading and writing after two failed reads in a row: otherwise every page would wait for each in turn. */
export const SILENT_LIMIT_MS = 500
/** Limit for one index request, including the body. */
export const FETCH_LIMIT_MS = 60_000
/** Limit for waiting for the refresh of another tab. */
export const LOCK_WAIT_MS = 30_000
/** Limit for waiting for a newer index while there is an expired one. */
export const EXPIRED_PATIENCE_MS = 5_000
/** Limit for waiting for the first index: longer than lock and request together. */
export const EMPTY_PATIENCE_MS = LOCK_WAIT_MS + FETCH_LIMIT_MS
/** Pauses after the first failures while there is no index. */
export const EMPTY_BACKOFFS_MS: readonly number[] = [60_000, 2 * 60_000, 5 * 60_000]
/** Pause after the first failure with an index, and after those above; it doubles with each failure. */
export const FIRST_BACKOFF_MS = 15 * 60_000
/** Longest pause after a failure. */
export const LAST_BACKOFF_MS = 6 * 3_600_000
/** Pause after a request whose outcome is unknown because its tab was closed. */
export const CLOSED_TAB_PAUSE_MS = 60_000
/** The same while there is no index, so that a first visit that soon moves on to another page gets its badges. */
export const CLOSED_TAB_EMPTY_PAUSE_MS = 5_000
/** Clocks of two processes differ by some ms, and are corrected by more. A larger step back means a clock set back. */
export const CLOCK_SKEW_MS = 60_000
