import { atMost, chunked, delay, systemTimer, withTimeLimit } from '../async/index.ts'
import { type IndexListing, repositoryKey } from '../contract/index.ts'
import { type DecodedIndex, decodeIndex, rejectedRows, validateUpdate } from './decode.ts'
import {
  ageOf,
  CLOCK_SKEW_MS,
  CLOSED_TAB_PAUSE_MS,
  EMPTY_PATIENCE_MS,
  EXPIRED_PATIENCE_MS,
  FETCH_LIMIT_MS,
  failed,
  freshnessOf,
  type IndexState,
  isAnswered,
  isDue,
  LOCK_WAIT_MS,
  pauseMs,
  triedLately,
} from './refresh-state.ts'
import { StoredIndex } from './stored-index.ts'
import type {
  Environment,
  IndexCache,
  IndexCacheOptions,
  IndexDifference,
  IndexFailure,
  IndexStatus,
  RefreshOptions,
  RepositoryListings,
} from './types.ts'

/**
 * Opens the index in `store`. Reads and sends nothing before the first call.
 *
 * Look-ups answer from the stored index and refresh it when it is due; they never reject. Without an index the first one
 * waits for it; with one over 30 days old it waits a few seconds for a newer one. All tabs over one store together send
 * one request in six hours.
 */
export function createIndexCache(options: IndexCacheOptions): IndexCache {
  const env = withDefaults(options)
  const { now, timer } = env
  const stored = new StoredIndex(env)
  let closing = new AbortController()
  let refresh = new Refresh(stored, env, closing.signal)
  /** The automatic refresh; one at a time. */
  let background: { readonly done: Promise<void>; readonly since: number } | null = null

  function refreshInBackground(): { readonly done: Promise<void>; readonly since: number } {
    const started = background ?? { since: now(), done: refresh.run({}) }
    if (background === null) {
      background = started
      void started.done.then(() => {
        if (background === started) background = null
      })
    }
    return started
  }

  /** Starts a refresh that is due, and waits for it when there is no index or an old one. @returns true if it waited */
  async function waitIfOld(state: IndexState): Promise<boolean> {
    const freshness = freshnessOf(state, now())
    if (freshness === 'fresh') return false
    // Another tab may be waiting for the answer to its request.
    if (!isDue(state, now()) && isAnswered(state)) return false
    const { done, since } = refreshInBackground()
    if (freshness === 'stale') return false
    const patience = freshness === 'empty' ? EMPTY_PATIENCE_MS : EXPIRED_PATIENCE_MS
    await atMost(timer, patience - Math.max(0, now() - since), done)
    return true
  }

  async function byRepositories(ownerRepos: Iterable<string>): Promise<Map<string, readonly IndexListing[]>> {
    const repositories = [...new Set(Array.from(ownerRepos, repositoryKey))]
    if (repositories.length === 0) return new Map()
    const { state, listings } = await stored.find(repositories)
    const found = (await waitIfOld(state)) ? (await stored.find(repositories)).listings : listings
    return new Map(found)
  }

  async function status(): Promise<IndexStatus> {
    const state = await stored.load()
    return { ...statusOf(state, now()), difference: refresh.difference, isSaved: stored.isSaved() }
  }

  return {
    byRepositories,
    byRepository: async (ownerRepo) => (await byRepositories([ownerRepo])).get(repositoryKey(ownerRepo)) ?? [],
    eachRepository: (visit) => stored.forEach(visit),
    status,
    async refresh({ force = false, replace = false } = {}) {
      if (force) await refresh.run({ force, replace })
      else {
        const state = await stored.load()
        if (isDue(state, now()) || (freshnessOf(state, now()) !== 'fresh' && !isAnswered(state)))
          await refreshInBackground().done
      }
      return status()
    },
    async clear() {
      closing.abort()
      closing = new AbortController()
      refresh = new Refresh(stored, env, closing.signal)
      background = null
      await stored.clear()
    },
  }
}

function statusOf(state: IndexState, now: number): Omit<IndexStatus, 'difference' | 'isSaved'> {
  const { index, failure } = state
  const age = ageOf(state, now)
  return {
    state: freshnessOf(state, now),
    generated: index?.generated ?? null,
    site: index?.site ?? null,
    count: index?.count ?? 0,
    rejected: index?.rejected ?? 0,
    ageMs: age === null ? null : Math.max(0, age),
    triedLately: triedLately(state, now),
    failure,
  }
}

const withDefaults = (options: IndexCacheOptions): Environment => ({
  ...options,
  now: options.now ?? Date.now,
  timer: options.timer ?? systemTimer,
  onSaved: options.onSaved ?? (async () => {}),
  onProblem(problem) {
    try {
      options.onProblem?.(problem)
    } catch {
      // A failing log must not make a look-up fail.
    }
  },
})

// A refresh: under the lock of all tabs

/**
 * The refresh of one tab. Web Locks and file locks end with their holder, so the lock alone coordinates all tabs. While
 * it holds the lock, a tab reads the state, records the time of the request, sends it, and saves the outcome.
 */
class Refresh {
  readonly #stored: StoredIndex
  readonly #env: Environment
  readonly #closed: AbortSignal
  /** Difference because of which the last answer was not stored. */
  difference: IndexDifference | null = null
  /** Time of this tab's last request, in case the store loses it. */
  #ownSentAt = Number.NEGATIVE_INFINITY

  /** @param closed aborts requests, and keeps their answers from being stored */
  constructor(stored: StoredIndex, env: Environment, closed: AbortSignal) {
    this.#stored = stored
    this.#env = env
    this.#closed = closed
  }

  /** Sends a request if it is due or the user requested it, and stores the outcome. Never rejects. */
  async run(options: RefreshOptions): Promise<void> {
    const { lock, now, onProblem } = this.#env
    const askedAt = now()
    try {
      const turn = await lock.run(LOCK_WAIT_MS, () => this.#refreshUnderLock(options, askedAt))
      if (!turn.held) onProblem({ kind: 'lock' })
    } catch (cause) {
      onProblem({ kind: 'lock', cause })
    }
  }

  async #refreshUnderLock({ force = false, replace = false }: RefreshOptions, askedAt: number): Promise<void> {
    const { now, timer } = this.#env
    // Another tab may have refreshed while this one waited for the lock.
    const state = await this.#stored.load()
    const isDone = force ? wasAnsweredSince(state, askedAt, now()) : freshnessOf(state, now()) === 'fresh'
    if (this.#closed.aborted || isDone) return
    const sentAgo = now() - this.#ownSentAt
    if (!force && state.index === null && sentAgo >= 0 && sentAgo < CLOSED_TAB_PAUSE_MS) return
    const pause = force ? 0 : pauseMs(state, now())
    if (pause > 0) {
      // This tab holds the lock, so the tab that sent the last request was closed.
      if (state.index !== null || isAnswered(state)) return
      await delay(timer, pause)
    }
    await this.#request(state, { force, replace })
  }

  async #request(before: IndexState, options: Required<RefreshOptions>): Promise<void> {
    const lastSentAt = this.#env.now()
    this.#ownSentAt = lastSentAt
    const state = { ...before, lastSentAt }
    await this.#stored.saveState(state)
    let during: 'fetch' | 'refused' = 'fetch'
    try {
      const document = await this.#send()
      during = 'refused'
      await this.#save(await decodeIndex(document), lastSentAt, options)
    } catch (cause) {
      if (this.#closed.aborted) return
      this.#env.onProblem({ kind: during, cause })
      await this.#stored.saveState(failed(state, reasonOf(during, cause), options))
    }
  }

  async #send(): Promise<unknown> {
    const { fetchIndex, timer } = this.#env
    const limit = new AbortController()
    const onClosed = () => limit.abort(this.#closed.reason)
    this.#closed.addEventListener('abort', onClosed)
    try {
      const answer = (async () => fetchIndex({ signal: limit.signal }))()
      return await withTimeLimit(timer, FETCH_LIMIT_MS, 'The index request', answer)
    } finally {
      this.#closed.removeEventListener('abort', onClosed)
      limit.abort()
    }
  }

  /** @throws {Error} when the document must not replace the stored index */
  async #save(update: DecodedIndex, lastSentAt: number, { force, replace }: Required<RefreshOptions>): Promise<void> {
    const { now, onSaved, onProblem } = this.#env
    const repositories = await byRepository(update.listings)
    // Another tab may have cleared the store, or taken over a lock that was lost.
    const current = await this.#stored.load()
    if (this.#closed.aborted || this.#stored.isOwnStateGone()) return
    const decision = validateUpdate(update, current, now())
    const { generated, site, listings } = update
    this.difference = null
    const isOther = decision === 'differs' || (force && current.index !== null && generated < current.index.generated)
    if (isOther && current.index !== null && decision !== 'replace' && !replace) {
      this.difference = { stored: current.index, offered: update }
      if (decision === 'differs')
        throw new Error(`The index is from ${site}, but the stored one is from ${current.index.site}.`)
    }
    const checked = { ...current, lastSentAt, checkedAt: now(), failure: null }
    if (decision === 'confirm' && !(isOther && replace)) return this.#stored.confirm(checked)
    const counts = { count: listings.length, rejected: rejectedRows(update) }
    const index = { generated, site, ...counts, savedAt: now() }
    const isShared = await this.#stored.replace(repositories, { ...checked, index })
    if (this.#closed.aborted) return
    await onSaved({ generated, repositories, isShared }).catch((cause) => onProblem({ kind: 'write', cause }))
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
