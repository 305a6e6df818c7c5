/** How long the engine waits for others, in ms. What the contract fixes is in `../contract/constants.ts`. */

/** A storage that has not answered by then is taken for absent; the first read after a browser start takes 100. */
export const READ_LIMIT_MS = 4_000
/** A storage that has not taken what it was given by then is taken for full; a large index on a slow disk takes seconds. */
export const WRITE_LIMIT_MS = 10_000
/** Both, once two reads in a row gave nothing: each page would wait for all of them, one after another. */
export const SILENT_LIMIT_MS = 500
/** One index request, body included. */
export const FETCH_LIMIT_MS = 60_000
/** Longest wait for another tab's refresh. */
export const LOCK_WAIT_MS = 30_000
/** A look-up with an expired index at hand waits this long for a newer one. */
export const EXPIRED_PATIENCE_MS = 5_000
/** A look-up without an index has nothing else to answer with; it outwaits lock and request. */
export const EMPTY_PATIENCE_MS = LOCK_WAIT_MS + FETCH_LIMIT_MS
/** The first pauses after failures while there is no index: a page shows nothing until it has one. */
export const EMPTY_BACKOFFS_MS: readonly number[] = [60_000, 2 * 60_000, 5 * 60_000]
/** First pause after a failure where there is an index, and the one that follows those; it doubles with each. */
export const FIRST_BACKOFF_MS = 15 * 60_000
/** Longest pause after a failure. */
export const LAST_BACKOFF_MS = 6 * 3_600_000
/** Clocks of two processes on one machine differ by some ms, and are corrected by more: no sign that one was set back. */
export const CLOCK_SKEW_MS = 60_000
/** A request sent this long before a person asked was sent at the same time, by the clock of another process. */
export const SAME_TIME_MS = 50
