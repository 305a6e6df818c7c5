import { delay, systemTimer } from '../async/index.ts'
import { type IndexListing, repositoryKey } from '../contract/index.ts'
import { Refresh } from './refresh.ts'
import {
  ageOf,
  EMPTY_PATIENCE_MS,
  EXPIRED_PATIENCE_MS,
  freshnessOf,
  type IndexState,
  isAnswered,
  isDue,
  triedLately,
} from './state.ts'
import { StoredIndex } from './stored-index.ts'
import type { Environment, IndexCache, IndexCacheOptions, IndexStatus } from './types.ts'

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
    await Promise.race([done, delay(timer, patience - Math.max(0, now() - since))])
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
    failure: failure && {
      kind: failure.kind ?? 'other',
      status: failure.status ?? null,
      message: failure.message,
      attempts: failure.attempts,
      nextTryAt: failure.nextTryAt,
    },
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
