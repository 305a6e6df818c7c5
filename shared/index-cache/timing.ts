/** Time limits of the index cache, in ms. Those that the contract fixes are in `../contract/constants.ts`. */

/** Reading the store; the first read after a browser start takes 100. */
export const READ_LIMIT_MS = 4_000
/** Writing the store; a large index on a slow disk takes seconds. */
export const WRITE_LIMIT_MS = 10_000
/** Reading and writing after two reads in a row failed, because every page would wait for all of them in turn. */
export const SILENT_LIMIT_MS = 500
/** One index request, body included. */
export const FETCH_LIMIT_MS = 60_000
/** Waiting for the refresh of another tab. */
export const LOCK_WAIT_MS = 30_000
/** Waiting for a newer index while an expired one is at hand. */
export const EXPIRED_PATIENCE_MS = 5_000
/** Waiting for the first index: longer than lock and request together. */
export const EMPTY_PATIENCE_MS = LOCK_WAIT_MS + FETCH_LIMIT_MS
/** Pauses after the first failures while there is no index. */
export const EMPTY_BACKOFFS_MS: readonly number[] = [60_000, 2 * 60_000, 5 * 60_000]
/** Pause after the first failure with an index, and after those above; it doubles with each failure. */
export const FIRST_BACKOFF_MS = 15 * 60_000
/** Longest pause after a failure. */
export const LAST_BACKOFF_MS = 6 * 3_600_000
/** Pause after a request whose outcome is unknown because its tab was closed. */
export const CLOSED_TAB_PAUSE_MS = 60_000
/** The same while there is no index, so that a first visit which moves on to the next page soon has its badges. */
export const CLOSED_TAB_EMPTY_PAUSE_MS = 5_000
/** Clocks of two processes differ by some ms and are corrected by more; a larger step back means the clock was set. */
export const CLOCK_SKEW_MS = 60_000
