import { type IndexListing, repositoryKey } from '../contract/index.ts'
import { isUnderWay } from './backoff.ts'
import { BUCKETS, bucketOf } from './buckets.ts'
import { createIndexStore, type IndexStore, type Snapshot } from './index-store.ts'
import { webLock } from './lock/web.ts'
import { createRefresh, type Refresh } from './refresh.ts'
import { type CacheState, freshnessOf, isDue, statusOf } from './state.ts'
import { passed, systemTimer } from './time-limit.ts'
import { EMPTY_PATIENCE_MS, EXPIRED_PATIENCE_MS } from './timing.ts'
import type { Catalogue, CatalogueOptions, CatalogueStatus, Environment } from './types.ts'

/** Buckets that a reader of the whole index asks for at once. */
const BUCKETS_PER_READ = 32

/**
 * Opens the index in `storage`. Nothing is read or sent before the first call.
 *
 * Look-ups answer from the stored index and see to its freshness; they never reject. Without an index the first one waits
 * for it; with one over 30 days old it waits a few seconds for a newer one. All tabs over one storage together send one
 * request in six hours.
 */
export function createCatalogue(options: CatalogueOptions): Catalogue {
  const env: Environment = {
    ...options,
    lock: options.lock ?? webLock(),
    now: options.now ?? Date.now,
    timer: options.timer ?? systemTimer,
    onSaved: options.onSaved ?? (async () => {}),
    onProblem(problem) {
      try {
        options.onProblem?.(problem)
      } catch {
        // A log that fails is no reason for a look-up to fail.
      }
    },
  }
  const { now, timer } = env
  let store: IndexStore
  let refresh: Refresh
  const forget = () => {
    store = createIndexStore(env)
    refresh = createRefresh(store, env)
  }
  forget()
  /** The refresh that is due anyway; one at a time. */
  let background: { readonly done: Promise<void>; readonly since: number } | null = null

  function refreshInBackground(): { readonly done: Promise<void>; readonly since: number } {
    background ??= {
      since: now(),
      done: refresh({ force: false }).finally(() => {
        background = null
      }),
    }
    return background
  }

  /** Starts a refresh that is due, and waits for it where there is no index, or an old one. @returns whether it waited */
  async function waitIfOld(state: CacheState): Promise<boolean> {
    const freshness = freshnessOf(state, now())
    const due = isDue(state, now())
    if (freshness === 'fresh') return false
    if (freshness === 'stale') {
      if (due) refreshInBackground()
      return false
    }
    if (!due && !isUnderWay(state.check, now())) return false
    const { done, since } = refreshInBackground()
    const patience = freshness === 'empty' ? EMPTY_PATIENCE_MS : EXPIRED_PATIENCE_MS
    await Promise.race([done, passed(timer, patience - Math.max(0, now() - since))])
    return true
  }

  async function byRepositories(ownerRepos: Iterable<string>): Promise<Map<string, IndexListing[]>> {
    const repositories = new Set(Array.from(ownerRepos, repositoryKey))
    if (repositories.size === 0) return new Map()
    const buckets = [...new Set(Array.from(repositories, bucketOf))]
    const snapshot = await store.read(buckets)
    return find(repositories, (await waitIfOld(snapshot)) ? await store.read(buckets) : snapshot)
  }

  async function status(): Promise<CatalogueStatus> {
    return statusOf(await store.read(), now(), store.isSaved())
  }

  return {
    byRepositories,
    byRepository: async (ownerRepo) => (await byRepositories([ownerRepo])).get(repositoryKey(ownerRepo)) ?? [],
    async eachRepository(visit) {
      let generated: string | null = null
      for (let from = 0; from < BUCKETS; from += BUCKETS_PER_READ) {
        const ids = Array.from({ length: Math.min(BUCKETS_PER_READ, BUCKETS - from) }, (_, at) => from + at)
        const { index, buckets } = await store.read(ids)
        if (index === null) return null
        generated ??= index.generated
        if (index.generated !== generated) return null
        for (const bucket of buckets.values()) {
          for (const [repository, listings] of Object.entries(bucket)) visit(repository, listings)
        }
      }
      return generated
    },
    status,
    async refresh({ force = false } = {}) {
      if (force) await refresh({ force })
      else {
        const state = await store.read()
        if (!isDue(state, now()) && !isUnderWay(state.check, now())) return statusOf(state, now(), store.isSaved())
        await refreshInBackground().done
      }
      return status()
    },
    forget,
  }
}

function find(repositories: Iterable<string>, { buckets }: Snapshot): Map<string, IndexListing[]> {
  const found = new Map<string, IndexListing[]>()
  for (const repository of repositories) {
    const bucket = buckets.get(bucketOf(repository))
    if (bucket && Object.hasOwn(bucket, repository)) found.set(repository, [...bucket[repository]!])
  }
  return found
}
