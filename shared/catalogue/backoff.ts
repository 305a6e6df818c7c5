import { type CheckRecord, NO_CHECK } from './records.ts'
import { CLOCK_SKEW_MS, EMPTY_BACKOFFS_MS, FETCH_LIMIT_MS, FIRST_BACKOFF_MS, LAST_BACKOFF_MS } from './timing.ts'

/** A record of a request that was sent. */
export type Claim = CheckRecord & { readonly attemptedAt: number }

/**
 * Pause after so many failures in a row: 15 minutes, doubling to 6 hours. Without a copy, 1, 2 and 5 minutes come first.
 */
export function backoffMs(attempts: number, hasCopy: boolean): number {
  const early = hasCopy ? [] : EMPTY_BACKOFFS_MS
  return early[attempts - 1] ?? Math.min(FIRST_BACKOFF_MS * 2 ** (attempts - early.length - 1), LAST_BACKOFF_MS)
}

/**
 * Pause after a claim whose tab was closed before its request was answered. The server may be well, so it is only as
 * long as a request may take, and doubles from the second on, up to that after a failure. Where the server is known to
 * fail, it is that.
 */
function brokenOffMs(attempts: number, { failedAt }: CheckRecord, hasCopy: boolean): number {
  const pause = backoffMs(attempts, hasCopy)
  return failedAt === null ? Math.min(FETCH_LIMIT_MS * 2 ** Math.max(0, attempts - 2), pause) : pause
}

/**
 * The record that is written before a request goes out, and stands until its outcome is known: tabs that open meanwhile
 * see an attempt and send none of their own.
 *
 * @param options.hasCopy whether there is a copy to go on with meanwhile
 * @param options.force a person asked for it
 */
export function claimed(
  check: CheckRecord,
  now: number,
  { hasCopy, force = false }: { hasCopy: boolean; force?: boolean },
): Claim {
  // A person who asks again and again at a failing server does not make the next request without them come later.
  const attempts = force && check.attempts > 0 ? check.attempts : check.attempts + 1
  return { ...check, attemptedAt: now, attempts, nextTryAt: now + brokenOffMs(attempts, check, hasCopy) }
}

/** The claim after its request failed. Its pause runs from when it was sent. */
export function failed(claim: Claim, message: string, { hasCopy }: { hasCopy: boolean }): CheckRecord {
  const { attemptedAt, attempts } = claim
  return { ...claim, failedAt: attemptedAt, nextTryAt: attemptedAt + backoffMs(attempts, hasCopy), message }
}

/** The claim after its request succeeded. */
export function succeeded(claim: CheckRecord, now: number): CheckRecord {
  return { ...NO_CHECK, checkedAt: now, attemptedAt: claim.attemptedAt }
}

/** Whether the pause after a failure still runs. A clock that was set back cannot make it longer than the longest. */
export function isBlocked(check: CheckRecord, now: number): boolean {
  const left = check.nextTryAt - now
  return check.attempts > 0 && left > 0 && left <= LAST_BACKOFF_MS + CLOCK_SKEW_MS
}

/** How long a request, of this tab or another, may still be on its way, ms; 0 when there is none. */
export function underWayMs({ attempts, attemptedAt, failedAt }: CheckRecord, now: number): number {
  if (attempts === 0 || attemptedAt === null || attemptedAt === failedAt) return 0
  const sentAgo = now - attemptedAt
  return sentAgo > -CLOCK_SKEW_MS ? Math.max(0, FETCH_LIMIT_MS - sentAgo) : 0
}

/**
 * Whether a request that nobody can be waiting for any more, its tab being gone, may be sent again at once: the first
 * one may. A person who opens a page and goes on to the next should not wait for the marks.
 */
export const mayResend = (check: CheckRecord, now: number): boolean =>
  check.attempts === 1 && check.failedAt === null && underWayMs(check, now) > 0

export const isUnderWay = (check: CheckRecord, now: number): boolean => underWayMs(check, now) > 0
