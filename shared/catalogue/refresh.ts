import { backoffMs, type Claim, claimed, failed, mayResend, succeeded, underWayMs } from './backoff.ts'
import { packBuckets } from './buckets.ts'
import { decodeIndex, rejectedRows } from './decode.ts'
import { type CheckRecord, SCHEMA } from './records.ts'
import { rule } from './ruling.ts'
import { copyState, isDue, type Known } from './state.ts'
import type { CopyStore } from './store.ts'
import { passed, type Timer, withTimeLimit } from './time-limit.ts'
import { CLOCK_SKEW_MS, FETCH_LIMIT_MS, FIRST_BACKOFF_MS, LOCK_WAIT_MS, SAME_TIME_MS } from './timing.ts'
import type { CatalogueLock, CatalogueOptions, CatalogueProblem } from './types.ts'

/** Brings the copy up to date under the lock of all tabs. Never rejects; what went wrong is in the check record. */
export type Refresh = (options: { force: boolean }) => Promise<void>

export function createRefresh(options: {
  store: CopyStore
  lock: CatalogueLock
  fetchIndex: CatalogueOptions['fetchIndex']
  now: () => number
  timer: Timer
  report: (problem: CatalogueProblem) => void
}): Refresh {
  const { store, lock, fetchIndex, now, timer, report } = options
  let lastSentAt: number | null = null
  /** Requests of this tab that failed since the last that succeeded, those that a person asked for apart. */
  let failures = 0
  let pauseMs = 0

  /** Whatever the storage says: one that loses what it is given must not turn every page view into a request. */
  const sentJustNow = () => lastSentAt !== null && now() >= lastSentAt && now() - lastSentAt < pauseMs

  const wanted = (known: Known, force: boolean, askedAt: number): boolean =>
    force ? !wasAnswered(known.check, askedAt, now()) : isDue(known, now()) && !sentJustNow()

  /** @returns ms to try again in, because of a request that was left behind; 0 for not at all */
  async function attempt(force: boolean, askedAt: number, isAlone: boolean): Promise<number> {
    // Another tab may have been first while this one waited for the lock.
    const { copy, check } = await store.read()
    if (!wanted({ copy, check }, force, askedAt)) {
      if (force || sentJustNow() || copyState({ copy, check }, now()) === 'fresh') return 0
      // Whoever sends holds the lock: one that is free was let go of by a tab that was closed.
      if (!isAlone || !mayResend(check, now())) return underWayMs(check, now())
    }
    await claimAndSend({ copy, check }, force)
    return 0
  }

  async function claimAndSend({ copy, check }: Known, force: boolean): Promise<void> {
    const hasCopy = copy !== null
    let claim: Claim
    let sentAt: number
    do {
      claim = claimed(check, now(), { hasCopy, force })
      await store.saveCheck(claim)
      sentAt = now()
      // A storage that took long over it leaves a claim that has run out before the request goes out.
    } while (sentAt - claim.attemptedAt > CLOCK_SKEW_MS)
    lastSentAt = sentAt
    pauseMs = FIRST_BACKOFF_MS

    const fail = async (kind: 'fetch' | 'refused', cause: unknown): Promise<void> => {
      if (!force) failures++
      pauseMs = Math.min(backoffMs(Math.max(1, failures), hasCopy), FIRST_BACKOFF_MS)
      const message = cause instanceof Error ? cause.message : String(cause)
      await store.saveCheck(failed(claim, message, { hasCopy }))
      report({ kind, cause })
    }
    let document: unknown
    try {
      document = await send()
    } catch (cause) {
      return fail('fetch', cause)
    }
    await receive(document, claim).then(
      () => {
        failures = 0
      },
      (cause) => fail('refused', cause),
    )
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

  /** @throws {Error} when the document is refused */
  async function receive(document: unknown, claim: Claim): Promise<void> {
    const index = await decodeIndex(document)
    const texts = await packBuckets(index.listings)
    // Read again: a lock can be lost, and an older document must not replace what another tab stored meanwhile.
    const ruling = rule(index, await store.read(), now())
    const check = succeeded(claim, now())
    if (ruling === 'confirm') return store.confirm(check)
    const { generated, site, listings } = index
    const counts = { count: listings.length, rejected: rejectedRows(index) }
    await store.saveCopy({ schema: SCHEMA, generated, site, ...counts, savedAt: now() }, texts, check)
  }

  async function underLock(force: boolean, askedAt: number): Promise<number> {
    const outcome = await lock.run(LOCK_WAIT_MS, (isAlone) => attempt(force, askedAt, isAlone))
    if (outcome.held) return outcome.value
    report({ kind: 'lock' })
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
      report({ kind: 'lock', cause })
    }
  }
}

/** Whether a request that another tab sent meanwhile is the one that was asked for. */
function wasAnswered(check: CheckRecord, askedAt: number, now: number): boolean {
  const { attemptedAt } = check
  return attemptedAt !== null && attemptedAt >= askedAt - SAME_TIME_MS && attemptedAt <= now + CLOCK_SKEW_MS
}
