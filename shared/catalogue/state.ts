import { INDEX_EXPIRED_MS, INDEX_FRESH_MS } from '../contract/index.ts'
import { isBlocked, isUnderWay } from './backoff.ts'
import type { CheckRecord, IndexRecord } from './records.ts'
import { CLOCK_SKEW_MS } from './timing.ts'
import type { CatalogueStatus, Freshness } from './types.ts'

/** The stored index, if there is one, and how the requests for it went. */
export interface CacheState {
  readonly index: IndexRecord | null
  readonly check: CheckRecord
}

/** ms since the index was last known to be the newest, negative when the clock was set back; null without an index. */
function ageOf({ index, check }: CacheState, now: number): number | null {
  return index === null ? null : now - (check.checkedAt ?? index.savedAt)
}

export function freshnessOf(state: CacheState, now: number): Freshness {
  const age = ageOf(state, now)
  if (age === null) return 'empty'
  // A clock that was set back must not keep an index fresh for longer than six hours.
  if (age < -CLOCK_SKEW_MS) return 'stale'
  if (age < INDEX_FRESH_MS) return 'fresh'
  return age > INDEX_EXPIRED_MS ? 'expired' : 'stale'
}

/** Whether a request may go out without a person asking for it. */
export function isDue(state: CacheState, now: number): boolean {
  return freshnessOf(state, now) !== 'fresh' && !isBlocked(state.check, now)
}

/** @param isSaved whether the storage has all of it */
export function statusOf(state: CacheState, now: number, isSaved: boolean): CatalogueStatus {
  const { index, check } = state
  const age = ageOf(state, now)
  return {
    state: freshnessOf(state, now),
    generated: index?.generated ?? null,
    site: index?.site ?? null,
    count: index?.count ?? 0,
    rejected: index?.rejected ?? 0,
    ageMs: age === null ? null : Math.max(0, age),
    failure: failureOf(check, now),
    isSaved,
  }
}

function failureOf(check: CheckRecord, now: number): CatalogueStatus['failure'] {
  if (check.attempts === 0 || isUnderWay(check, now)) return null
  const isAnswered = check.failedAt === check.attemptedAt
  const message = (isAnswered ? check.message : null) ?? 'The last request was broken off before it was answered.'
  return { message, attempts: check.attempts, nextTryAt: check.nextTryAt }
}
