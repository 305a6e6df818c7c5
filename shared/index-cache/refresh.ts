import { chunked, delay, withTimeLimit } from '../async/index.ts'
import { type IndexListing, repositoryKey } from '../contract/index.ts'
import { type DecodedIndex, decodeIndex, rejectedRows, validateUpdate } from './decode.ts'
import { failed, freshnessOf, type IndexState, isAnswered, pauseMs } from './state.ts'
import type { StoredIndex } from './stored-index.ts'
import { CLOCK_SKEW_MS, CLOSED_TAB_PAUSE_MS, FETCH_LIMIT_MS, LOCK_WAIT_MS } from './timing.ts'
import type { Environment, IndexDifference, IndexFailure, RefreshOptions, RepositoryListings } from './types.ts'

export interface Refresh {
  /** Sends a request if it is due or the user requested it, and stores the outcome. Never rejects. */
  run(options: RefreshOptions): Promise<void>
  /** Difference because of which the last answer was not stored. */
  readonly difference: IndexDifference | null
}

/**
 * Creates the refresh of one tab. Web Locks and file locks end with their holder, so the lock alone coordinates all
 * tabs. While it holds the lock, a tab reads the state, records the time of the request, sends it, and saves the
 * outcome.
 *
 * @param closed aborts requests, and keeps their answers from being stored
 */
export function createRefresh(stored: StoredIndex, env: Environment, closed: AbortSignal): Refresh {
  const { lock, fetchIndex, now, timer, onProblem, onSaved } = env
  let difference: IndexDifference | null = null
  /** Time of this tab's last request, in case the store loses it. */
  let ownSentAt = Number.NEGATIVE_INFINITY

  async function refreshUnderLock({ force, replace }: RefreshOptions, askedAt: number): Promise<void> {
    // Another tab may have refreshed while this one waited for the lock.
    const state = await stored.load()
    if (closed.aborted || (force ? wasAnsweredSince(state, askedAt, now()) : freshnessOf(state, now()) === 'fresh'))
      return
    const sentAgo = now() - ownSentAt
    if (!force && state.index === null && sentAgo >= 0 && sentAgo < CLOSED_TAB_PAUSE_MS) return
    const pause = force ? 0 : pauseMs(state, now())
    if (pause > 0) {
      // This tab holds the lock, so the tab that sent the last request was closed.
      if (state.index !== null || isAnswered(state)) return
      await delay(timer, pause)
    }
    await request(state, { force: force ?? false, replace: replace ?? false })
  }

  async function request(state: IndexState, { force, replace }: Required<RefreshOptions>): Promise<void> {
    const lastSentAt = now()
    ownSentAt = lastSentAt
    await stored.saveState({ ...state, lastSentAt })
    let document: unknown
    try {
      document = await send()
    } catch (cause) {
      return fail('fetch', cause)
    }
    try {
      await save(await decodeIndex(document))
    } catch (cause) {
      await fail('refused', cause)
    }

    async function fail(kind: 'fetch' | 'refused', cause: unknown): Promise<void> {
      if (closed.aborted) return
      onProblem({ kind, cause })
      await stored.saveState(failed({ ...state, lastSentAt }, reasonOf(kind, cause), { force }))
    }

    /** @throws {Error} when the document must not replace the stored index */
    async function save(update: DecodedIndex): Promise<void> {
      const repositories = await byRepository(update.listings)
      // Another tab may have cleared the store, or taken over a lock that was lost.
      const current = await stored.load()
      if (closed.aborted || stored.isOwnStateGone()) return
      const decision = validateUpdate(update, current, now())
      const { generated, site, listings } = update
      difference = null
      const isOther = decision === 'differs' || (force && current.index !== null && generated < current.index.generated)
      if (isOther && current.index !== null && decision !== 'replace' && !replace) {
        difference = { stored: current.index, offered: update }
        if (decision === 'differs')
          throw new Error(`The index is from ${site}, but the stored one is from ${current.index.site}.`)
      }
      const checked = { ...current, lastSentAt, checkedAt: now(), failure: null }
      if (decision === 'confirm' && !(isOther && replace)) return stored.confirm(checked)
      const counts = { count: listings.length, rejected: rejectedRows(update) }
      const index = { generated, site, ...counts, savedAt: now() }
      const isShared = await stored.replace(repositories, { ...checked, index })
      if (closed.aborted) return
      await onSaved({ generated, repositories, isShared }).catch((cause) => onProblem({ kind: 'write', cause }))
    }
  }

  async function send(): Promise<unknown> {
    const limit = new AbortController()
    const onClosed = () => limit.abort(closed.reason)
    closed.addEventListener('abort', onClosed)
    try {
      const answer = (async () => fetchIndex({ signal: limit.signal }))()
      return await withTimeLimit(timer, FETCH_LIMIT_MS, 'The index request', answer)
    } finally {
      closed.removeEventListener('abort', onClosed)
      limit.abort()
    }
  }

  return {
    async run(options) {
      const askedAt = now()
      try {
        const turn = await lock.run(LOCK_WAIT_MS, () => refreshUnderLock(options, askedAt))
        if (!turn.held) onProblem({ kind: 'lock' })
      } catch (cause) {
        onProblem({ kind: 'lock', cause })
      }
    },
    get difference() {
      return difference
    },
  }
}

/** Returns the reason of a failure. The request rejects with a DirectoryError, or with any error of `fetchIndex`. */
function reasonOf(during: 'fetch' | 'refused', cause: unknown): IndexFailure {
  const message = cause instanceof Error ? cause.message : String(cause)
  const { kind, name, status = null } = Object(cause) as { kind?: string; name?: string; status?: number | null }
  if (during === 'refused' || kind === 'invalid') return { kind: 'refused', status: null, message }
  if (kind === 'http' || kind === 'network' || kind === 'timeout') return { kind, status, message }
  return { kind: name === 'TimeoutError' ? 'timeout' : 'other', status: null, message }
}

async function byRepository(listings: readonly IndexListing[]): Promise<RepositoryListings[]> {
  const repositories = new Map<string, IndexListing[]>()
  await chunked(listings, (listing) => {
    const repository = repositoryKey(listing.fullName)
    const others = repositories.get(repository)
    if (others) others.push(listing)
    else repositories.set(repository, [listing])
  })
  return [...repositories]
}

/** Returns true if another tab has sent a request since then, and its outcome is known. */
function wasAnsweredSince(state: IndexState, askedAt: number, now: number): boolean {
  const { lastSentAt } = state
  return lastSentAt !== null && lastSentAt >= askedAt && lastSentAt <= now + CLOCK_SKEW_MS && isAnswered(state)
}
