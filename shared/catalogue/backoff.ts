import { type CheckRecord, SCHEMA } from './records.ts'
import { CLOCK_SKEW_MS, FETCH_LIMIT_MS, FIRST_BACKOFF_MS, LAST_BACKOFF_MS } from './timing.ts'

/** Pause after so many failures in a row: 15 minutes, doubling to 6 hours. */
export function backoffMs(attempts: number): number {
  return Math.min(FIRST_BACKOFF_MS * 2 ** (attempts - 1), LAST_BACKOFF_MS)
}

/**
 * The record that is written before a request goes out: a failure until it is replaced. So a tab that is closed in
 * mid-request has failed, and the tabs that open meanwhile see an attempt and send none of their own.
 */
export function claimed(check: CheckRecord, now: number): CheckRecord {
  const attempts = check.attempts + 1
  return { ...check, attemptedAt: now, attempts, nextTryAt: now + backoffMs(attempts), message: null }
}

/** The claim after its request failed. Its pause runs from when it was sent. */
export function failed(claim: CheckRecord, message: string): CheckRecord {
  return { ...claim, message }
}

/** The claim after its request succeeded. */
export function succeeded(claim: CheckRecord, now: number): CheckRecord {
  return { schema: SCHEMA, checkedAt: now, attemptedAt: claim.attemptedAt, attempts: 0, nextTryAt: 0, message: null }
}

/** Whether the pause after a failure still runs. A clock that was set back cannot make it longer than the longest. */
export function isBlocked(check: CheckRecord, now: number): boolean {
  const left = check.nextTryAt - now
  return check.attempts > 0 && left > 0 && left <= LAST_BACKOFF_MS + CLOCK_SKEW_MS
}

/** Whether a request, of this tab or another, may still be on its way. */
export function isUnderWay(check: CheckRecord, now: number): boolean {
  if (check.attempts === 0 || check.message !== null || check.attemptedAt === null) return false
  const sentAgo = now - check.attemptedAt
  return sentAgo > -CLOCK_SKEW_MS && sentAgo < FETCH_LIMIT_MS
}
