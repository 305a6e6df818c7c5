import {
  type Attempt,
  backoffMs,
  completeAttempt,
  failAttempt,
  mayResend,
  startAttempt,
  underWayMs,
} from './backoff.ts'
import { toBuckets } from './buckets.ts'
import { decodeIndex, rejectedRows } from './decode.ts'
import type { IndexStore } from './index-store.ts'
import { type CheckRecord, SCHEMA } from './records.ts'
import { type CacheState, freshnessOf, isDue } from './state.ts'
import { passed, withTimeLimit } from './time-limit.ts'
import { CLOCK_SKEW_MS, FETCH_LIMIT_MS, FIRST_BACKOFF_MS, LOCK_WAIT_MS, SAME_TIME_MS } from './timing.ts'
import type { Environment } from './types.ts'
import { validateUpdate } from './validate-update.ts'

/** Refreshes the index under the lock of all tabs. Never rejects; what went wrong is in the check record. */
export type Refresh = (options: { force: boolean }) => Promise<void>

export function createRefresh(store: IndexStore, env: Environment): Refresh {
  const { lock, fetchIndex, now, timer, onProblem, onSaved } = env
  let lastSentAt: number | null = null
  /** Requests of this tab that failed since the last that succeeded, without those that a person asked for. */
  let failures = 0
  let pauseMs = 0

  /** Whatever the storage says: one that loses what it is given must not turn every page view into a request. */
  const sentJustNow = () => lastSentAt !== null && now() >= lastSentAt && now() - lastSentAt < pauseMs

  const isWanted = (state: CacheState, force: boolean, askedAt: number): boolean =>
    force ? !wasAnswered(state.check, askedAt, now()) : isDue(state, now()) && !sentJustNow()

  /** @returns ms until the next try, where a request of a tab that may be closed is under way; 0 for no next try */
  async function refreshOnce(force: boolean, askedAt: number, isAlone: boolean): Promise<number> {
    // Another tab may have been first while this one waited for the lock.
    const state = await store.read()
    if (!isWanted(state, force, askedAt)) {
      if (force || sentJustNow() || freshnessOf(state, now()) === 'fresh') return 0
      // Whoever sends holds the lock: it is free because the tab was closed.
      if (!isAlone || !mayResend(state.check, now())) return underWayMs(state.check, now())
    }
    await request(state, force)
    return 0
  }

  async function request({ index, check }: CacheState, force: boolean): Promise<void> {
    const hasIndex = index !== null
    let attempt: Attempt
    let sentAt: number
    do {
      attempt = startAttempt(check, now(), { hasIndex, force })
      await store.saveCheck(attempt)
      sentAt = now()
      // A slow storage leaves an attempt whose pause is over before the request goes out.
    } while (sentAt - attempt.attemptedAt > CLOCK_SKEW_MS)
    lastSentAt = sentAt
    pauseMs = FIRST_BACKOFF_MS

    const fail = async (kind: 'fetch' | 'refused', cause: unknown): Promise<void> => {
      if (!force) failures++
      pauseMs = Math.min(backoffMs(Math.max(1, failures), hasIndex), FIRST_BACKOFF_MS)
      const message = cause instanceof Error ? cause.message : String(cause)
      await store.saveCheck(failAttempt(attempt, message, { hasIndex }))
      onProblem({ kind, cause })
    }
    let document: unknown
    try {
      document = await send()
    } catch (cause) {
      return fail('fetch', cause)
    }
    try {
      await save(document, attempt)
      failures = 0
    } catch (cause) {
      await fail('refused', cause)
    }
  }

  async function send(): Promise<unknown> {
    const limit = new AbortController()
    try {
      const answer = (async () => fetchIndex({ signal: limit.signal }))()
      return await withTimeLimit(timer, FETCH_LIMIT_MS, 'The index request', answer)
    } finally {
      limit.abort()
    }
  }

  /** @throws {Error} when the document must not replace the stored index */
  async function save(document: unknown, attempt: Attempt): Promise<void> {
    const update = await decodeIndex(document)
    const buckets = await toBuckets(update.listings)
    // Read again: a lock can be lost, and an older index must not replace what another tab stored meanwhile.
    const decision = validateUpdate(update, await store.read(), now())
    const check = completeAttempt(attempt, now())
    if (decision === 'confirm') return store.confirm(check)
    const { generated, site, listings } = update
    const counts = { count: listings.length, rejected: rejectedRows(update) }
    const saved = { generated, repositories: buckets.flatMap((bucket) => Object.entries(bucket)) }
    await Promise.all([
      store.saveIndex({ schema: SCHEMA, generated, site, ...counts, savedAt: now() }, buckets, check),
      onSaved(saved).catch((cause) => onProblem({ kind: 'write', cause })),
    ])
  }

  async function underLock(force: boolean, askedAt: number): Promise<number> {
    const outcome = await lock.run(LOCK_WAIT_MS, (isAlone) => refreshOnce(force, askedAt, isAlone))
    if (outcome.held) return outcome.value
    onProblem({ kind: 'lock' })
    return 0
  }

  return async ({ force }) => {
    const askedAt = now()
    try {
      const waitMs = await underLock(force, askedAt)
      if (waitMs === 0) return
      await passed(timer, waitMs)
      await underLock(force, askedAt)
    } catch (cause) {
      onProblem({ kind: 'lock', cause })
    }
  }
}

/** Whether a request that another tab sent meanwhile is the one that was asked for. */
function wasAnswered({ attemptedAt }: CheckRecord, askedAt: number, now: number): boolean {
  return attemptedAt !== null && attemptedAt >= askedAt - SAME_TIME_MS && attemptedAt <= now + CLOCK_SKEW_MS
}
