import { INDEX_EXPIRED_MS, INDEX_FRESH_MS } from '../contract/index.ts'
import { isBlocked } from './backoff.ts'
import type { CheckRecord, CopyRecord } from './records.ts'
import { CLOCK_SKEW_MS } from './timing.ts'
import type { CopyState } from './types.ts'

/** A copy, if there is one, and the course of the checks on it. */
export interface Known {
  readonly copy: CopyRecord | null
  readonly check: CheckRecord
}

/** ms since the copy was last known to be the newest, negative when the clock was set back; null without a copy. */
export function copyAge({ copy, check }: Known, now: number): number | null {
  return copy === null ? null : now - (check.checkedAt ?? copy.savedAt)
}

export function copyState(known: Known, now: number): CopyState {
  const age = copyAge(known, now)
  if (age === null) return 'empty'
  // A clock set back must not keep a copy fresh for longer than six hours.
  if (age < -CLOCK_SKEW_MS) return 'stale'
  if (age < INDEX_FRESH_MS) return 'fresh'
  return age > INDEX_EXPIRED_MS ? 'expired' : 'stale'
}

/** Whether a request may go out without a person asking for it. */
export function isDue(known: Known, now: number): boolean {
  return copyState(known, now) !== 'fresh' && !isBlocked(known.check, now)
}
