import { type CheckRecord, NO_CHECK } from './records.ts'
import { CLOCK_SKEW_MS, EMPTY_BACKOFFS_MS, FETCH_LIMIT_MS, FIRST_BACKOFF_MS, LAST_BACKOFF_MS } from './timing.ts'

/** The record of a request that was sent, and whose outcome is not known yet. */
export type Attempt = CheckRecord & { readonly attemptedAt: number }

/**
 * Pause after so many failures in a row: 15 minutes, doubling to 6 hours. Without an index, 1, 2 and 5 minutes come
 * first. ms
 */
export function backoffMs(attempts: number, hasIndex: boolean): number {
  const early = hasIndex ? [] : EMPTY_BACKOFFS_MS
  return early[attempts - 1] ?? Math.min(FIRST_BACKOFF_MS * 2 ** (attempts - early.length - 1), LAST_BACKOFF_MS)
}

/**
 * Pause after an attempt whose tab was closed before its request was answered. The server may be well, so it is only as
 * long as a request may take, and doubles from the second on, up to that after a failure. Where the server is known to
 * fail, it is that.
 */
function abandonedBackoffMs(attempts: number, { failedAt }: CheckRecord, hasIndex: boolean): number {
  const pause = backoffMs(attempts, hasIndex)
  return failedAt === null ? Math.min(FETCH_LIMIT_MS * 2 ** Math.max(0, attempts - 2), pause) : pause
}

/**
 * The record that is written before a request goes out, and stands until its outcome is known: tabs that open meanwhile
 * see an attempt and send none of their own.
 *
 * @param options.hasIndex whether there is an index to go on with meanwhile
 * @param options.force a person asked for it
 */
export function startAttempt(
  check: CheckRecord,
  now: number,
  { hasIndex, force = false }: { hasIndex: boolean; force?: boolean },
): Attempt {
  // A person who asks again and again at a failing server does not delay the next automatic request.
  const attempts = force && check.attempts > 0 ? check.attempts : check.attempts + 1
  return { ...check, attemptedAt: now, attempts, nextTryAt: now + abandonedBackoffMs(attempts, check, hasIndex) }
}

/** The attempt after its request failed. Its pause runs from when it was sent. */
export function failAttempt(attempt: Attempt, message: string, { hasIndex }: { hasIndex: boolean }): CheckRecord {
  const { attemptedAt, attempts } = attempt
  return { ...attempt, failedAt: attemptedAt, nextTryAt: attemptedAt + backoffMs(attempts, hasIndex), message }
}

/** The attempt after its request succeeded. */
export function completeAttempt(attempt: CheckRecord, now: number): CheckRecord {
  return { ...NO_CHECK, checkedAt: now, attemptedAt: attempt.attemptedAt }
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

export const isUnderWay = (check: CheckRecord, now: number): boolean => underWayMs(check, now) > 0

/**
 * Whether a request whose tab is closed may be sent again at once: the first one may. A person who opens a page and goes
 * on to the next should not wait for the badges.
 */
export const mayResend = (check: CheckRecord, now: number): boolean =>
  check.attempts === 1 && check.failedAt === null && isUnderWay(check, now)
