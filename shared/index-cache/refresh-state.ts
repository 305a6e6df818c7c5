import * as v from 'valibot'
import { INDEX_EXPIRED_MS, INDEX_FRESH_MS, InstantSchema, WholeNumberSchema } from '../contract/index.ts'
import type { Freshness, IndexFailure } from './types.ts'

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
const EMPTY_BACKOFFS_MS: readonly number[] = [60_000, 2 * 60_000, 5 * 60_000]
/** Pause after the first failure with an index, and after those above; it doubles with each failure. */
const FIRST_BACKOFF_MS = 15 * 60_000
/** Longest pause after a failure. */
const LAST_BACKOFF_MS = 6 * 3_600_000
/** Pause after a request whose outcome is unknown because its tab was closed. */
export const CLOSED_TAB_PAUSE_MS = 60_000
/** The same while there is no index, so that a first visit that soon moves on to another page gets its badges. */
const CLOSED_TAB_EMPTY_PAUSE_MS = 5_000
/** Clocks of two processes differ by some ms, and are corrected by more. A larger step back means a clock set back. */
export const CLOCK_SKEW_MS = 60_000

/** Version of the stored data. Raise it when their shape changes; data of another version counts as absent. */
const SCHEMA = 4

const IndexHeaderSchema = v.object({
  /** `generated` of the document. */
  generated: InstantSchema,
  /** Base address of the listings' pages, without a trailing slash. */
  site: v.string(),
  count: WholeNumberSchema,
  /** Rows of the document that did not parse, or repeat a name. */
  rejected: WholeNumberSchema,
  /** ms since 1970. */
  savedAt: WholeNumberSchema,
})
export type IndexHeader = Readonly<v.InferOutput<typeof IndexHeaderSchema>>

/** State of the index and of the requests for it. Times are ms since 1970. */
export const IndexStateSchema = v.object({
  schema: v.picklist([SCHEMA]),
  index: v.nullable(IndexHeaderSchema),
  /** Time when the index was last known to be the newest. */
  checkedAt: v.nullable(WholeNumberSchema),
  /** Time of the last request. */
  lastSentAt: v.nullable(WholeNumberSchema),
  /** The last failure since the last success. */
  failure: v.nullable(
    v.object({
      /** Time of its request. */
      sentAt: WholeNumberSchema,
      kind: v.picklist(['http', 'network', 'timeout', 'refused', 'unsaved', 'other']),
      status: v.nullable(v.number()),
      message: v.string(),
      /** Failed requests in a row. */
      attempts: WholeNumberSchema,
      /** Earliest time of the next automatic request. */
      nextTryAt: WholeNumberSchema,
    }),
  ),
})
export type IndexState = Readonly<v.InferOutput<typeof IndexStateSchema>>

export const EMPTY_STATE: IndexState = { schema: SCHEMA, index: null, checkedAt: null, lastSentAt: null, failure: null }

/**
 * Returns ms since the index was last known to be the newest, negative when the clock was set back; null without one.
 */
export function ageOf({ index, checkedAt }: IndexState, now: number): number | null {
  return index === null ? null : now - (checkedAt ?? index.savedAt)
}

export function freshnessOf(state: IndexState, now: number): Freshness {
  const age = ageOf(state, now)
  if (age === null) return 'empty'
  // A clock that was set back must not keep an index fresh for longer than six hours.
  if (age < -CLOCK_SKEW_MS) return 'stale'
  if (age < INDEX_FRESH_MS) return 'fresh'
  return age > INDEX_EXPIRED_MS ? 'expired' : 'stale'
}

/** Returns true for a minute after a request that has not succeeded: it is under way, failed, or its process has ended. */
export function triedLately({ lastSentAt, checkedAt }: IndexState, now: number): boolean {
  if (lastSentAt === null || (checkedAt ?? -1) >= lastSentAt) return false
  return now >= lastSentAt && now - lastSentAt < CLOSED_TAB_PAUSE_MS
}

/** Returns true if an automatic request may be sent. */
export function isDue(state: IndexState, now: number): boolean {
  return freshnessOf(state, now) !== 'fresh' && pauseMs(state, now) === 0
}

/** Returns true if the outcome of the last request is known: not while its tab waits, nor after that tab was closed. */
export function isAnswered({ lastSentAt, checkedAt, failure }: IndexState): boolean {
  return lastSentAt === null || (checkedAt ?? -1) >= lastSentAt || (failure?.sentAt ?? -1) >= lastSentAt
}

/** Returns the remaining pause before automatic requests, in ms. A clock that was set back ends a pause. */
export function pauseMs(state: IndexState, now: number): number {
  const { failure, lastSentAt, index } = state
  if (lastSentAt !== null && !isAnswered(state)) {
    if (lastSentAt > now + CLOCK_SKEW_MS) return 0
    return Math.max(0, lastSentAt + (index === null ? CLOSED_TAB_EMPTY_PAUSE_MS : CLOSED_TAB_PAUSE_MS) - now)
  }
  const left = (failure?.nextTryAt ?? now) - now
  return left <= LAST_BACKOFF_MS + CLOCK_SKEW_MS ? Math.max(0, left) : 0
}

/** Returns the state after the last request failed. @param options.force true if the user requested it */
export function failed(state: IndexState, reason: IndexFailure, { force = false } = {}): IndexState {
  const sentAt = state.lastSentAt ?? 0
  const before = state.failure?.attempts ?? 0
  // Repeated requests by the user do not delay the next automatic one.
  const attempts = force && before > 0 ? before : before + 1
  return {
    ...state,
    failure: { ...reason, sentAt, attempts, nextTryAt: sentAt + backoffMs(attempts, state.index !== null) },
  }
}

/**
 * Returns the pause after a number of failures in a row, in ms: 15 minutes, doubling to 6 hours. Without an index, 1, 2
 * and 5 minutes come first.
 */
export function backoffMs(attempts: number, hasIndex: boolean): number {
  const early = hasIndex ? [] : EMPTY_BACKOFFS_MS
  return early[attempts - 1] ?? Math.min(FIRST_BACKOFF_MS * 2 ** (attempts - early.length - 1), LAST_BACKOFF_MS)
}
