import { isUnderWay } from './backoff.ts'
import type { CheckRecord } from './records.ts'
import { copyAge, copyState, type Known } from './state.ts'
import type { CatalogueStatus } from './types.ts'

/** What a person is told of the copy. */
export function statusOf(known: Known, now: number, kept: boolean): CatalogueStatus {
  const { copy, check } = known
  const age = copyAge(known, now)
  return {
    state: copyState(known, now),
    generated: copy?.generated ?? null,
    site: copy?.site ?? null,
    count: copy?.count ?? 0,
    rejected: copy?.rejected ?? 0,
    ageMs: age === null ? null : Math.max(0, age),
    failure: failureOf(check, now),
    kept,
  }
}

function failureOf(check: CheckRecord, now: number): CatalogueStatus['failure'] {
  // A request that is still on its way is not a failure yet.
  if (check.attempts === 0 || isUnderWay(check, now)) return null
  const isKnown = check.failedAt === check.attemptedAt
  const message = (isKnown ? check.message : null) ?? 'The last request was broken off before it was answered.'
  return { message, attempts: check.attempts, nextTryAt: check.nextTryAt }
}
