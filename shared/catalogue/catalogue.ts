import { type IndexListing, repositoryKey } from '../contract/index.ts'
import { isUnderWay } from './backoff.ts'
import { ALL_BUCKETS, allListings, bucketOf, listingsOf, listingsOfPackage } from './buckets.ts'
import { webLock } from './lock/web.ts'
import { createRefresh } from './refresh.ts'
import { copyState, isDue, type Known } from './state.ts'
import { statusOf } from './status.ts'
import { createCopyStore, type Snapshot } from './store.ts'
import { settledOrLate, systemTimer } from './time-limit.ts'
import { EMPTY_PATIENCE_MS, EXPIRED_PATIENCE_MS } from './timing.ts'
import type { Catalogue, CatalogueOptions, CatalogueProblem, CatalogueStatus } from './types.ts'

type Buckets = Snapshot['buckets']

/**
 * Opens the index copy in `storage`. Nothing is read or sent before the first call.
 *
 * Look-ups answer from the copy and see to its freshness; they never reject. Without a copy the first one waits for
 * it; with one over 30 days old it waits a few seconds for a newer one. All tabs over one storage together send one
 * request in six hours.
 */
export function createCatalogue(options: CatalogueOptions): Catalogue {
  const { storage, fetchIndex, lock = webLock(), now = Date.now, timer = systemTimer } = options
  const store = createCopyStore({ storage, now, timer, report })
  const refresh = createRefresh({ store, lock, fetchIndex, now, timer, report })
  let background: { readonly done: Promise<void>; readonly since: number } | null = null

  function report(problem: CatalogueProblem): void {
    try {
      options.onProblem?.(problem)
    } catch {
      // A log that fails is no reason for a look-up to fail.
    }
  }

  /** The refresh that is due anyway; one at a time. */
  function startRefresh(): { readonly done: Promise<void>; readonly since: number } {
    background ??= {
      since: now(),
      done: refresh({ force: false }).finally(() => {
        background = null
      }),
    }
    return background
  }

  async function read<T>(
    buckets: readonly number[],
    take: (buckets: Buckets) => T,
  ): Promise<{ seen: Known; found: T }> {
    const seen = await store.read(buckets)
    try {
      return { seen, found: take(seen.buckets) }
    } catch (cause) {
      if (seen.copy !== null) store.distrust(seen.copy, cause)
      return { seen: { copy: null, check: seen.check }, found: take(new Map()) }
    }
  }

  async function lookUp<T>(buckets: readonly number[], take: (buckets: Buckets) => T): Promise<T> {
    const { seen, found } = await read(buckets, take)
    const state = copyState(seen, now())
    const due = isDue(seen, now())
    if (state === 'fresh') return found
    if (state === 'stale') {
      if (due) startRefresh()
      return found
    }
    if (!due && !isUnderWay(seen.check, now())) return found
    const { done, since } = startRefresh()
    const patience = state === 'empty' ? EMPTY_PATIENCE_MS : EXPIRED_PATIENCE_MS
    await settledOrLate(timer, patience - Math.max(0, now() - since), done)
    return (await read(buckets, take)).found
  }

  async function status(): Promise<CatalogueStatus> {
    const known = await store.read()
    return statusOf(known, now(), store.isKept())
  }

  async function byRepositories(ownerRepos: Iterable<string>): Promise<Map<string, IndexListing[]>> {
    const keys = new Set(Array.from(ownerRepos, repositoryKey))
    if (keys.size === 0) return new Map()
    const buckets = [...new Set(Array.from(keys, bucketOf))]
    return lookUp(buckets, (texts) => {
      const found = new Map<string, IndexListing[]>()
      for (const key of keys) {
        const listings = listingsOf(texts.get(bucketOf(key)) ?? '', key)
        if (listings.length > 0) found.set(key, listings)
      }
      return found
    })
  }

  return {
    byRepositories,
    byRepository: async (ownerRepo) => (await byRepositories([ownerRepo])).get(repositoryKey(ownerRepo)) ?? [],
    byPackage: (name) => lookUp(ALL_BUCKETS, (texts) => listingsOfPackage(texts.values(), name)),
    all: () => lookUp(ALL_BUCKETS, (texts) => allListings(texts.values())),
    status,
    async refresh({ force = false } = {}) {
      if (force) {
        await refresh({ force })
      } else {
        const seen = await store.read()
        if (isDue(seen, now()) || isUnderWay(seen.check, now())) await startRefresh().done
      }
      return status()
    },
  }
}
