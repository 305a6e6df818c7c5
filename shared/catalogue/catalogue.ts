import { type IndexListing, repositoryKey } from '../contract/index.ts'
import { isUnderWay } from './backoff.ts'
import { allBuckets, allListings, BUCKETS, bucketOf, listingsOf, listingsOfPackage, repositoriesOf } from './buckets.ts'
import { webLock } from './lock/web.ts'
import { createRefresh } from './refresh.ts'
import { inSlices } from './slices.ts'
import { copyState, isDue, type Known } from './state.ts'
import { statusOf } from './status.ts'
import { createCopyStore, type Snapshot } from './store.ts'
import { settledOrLate, systemTimer } from './time-limit.ts'
import { EMPTY_PATIENCE_MS, EXPIRED_PATIENCE_MS } from './timing.ts'
import type { Catalogue, CatalogueOptions, CatalogueProblem, CatalogueStatus } from './types.ts'

type Buckets = Snapshot['buckets']

/** Buckets that a reader of the whole copy asks for at once. */
const BUCKETS_A_READ = 32

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

  async function eachRepository(visit: (repository: string, listings: IndexListing[]) => void): Promise<string | null> {
    const all = allBuckets()
    let generated: string | undefined
    for (let from = 0; from < BUCKETS; from += BUCKETS_A_READ) {
      const { seen, found } = await read(all.slice(from, from + BUCKETS_A_READ), (texts) => texts)
      if (seen.copy === null) return null
      generated ??= seen.copy.generated
      if (seen.copy.generated !== generated) return null
      try {
        await inSlices(found.values(), (text) => {
          for (const [repository, listings] of repositoriesOf(text)) visit(repository, listings)
        })
      } catch (cause) {
        store.distrust(seen.copy, cause)
        return null
      }
    }
    return generated ?? null
  }

  return {
    byRepositories,
    eachRepository,
    byRepository: async (ownerRepo) => (await byRepositories([ownerRepo])).get(repositoryKey(ownerRepo)) ?? [],
    byPackage: (name) => lookUp(allBuckets(), (texts) => listingsOfPackage(texts.values(), name)),
    all: () => lookUp(allBuckets(), (texts) => allListings(texts.values())),
    status,
    async refresh({ force = false } = {}) {
      if (force) await refresh({ force })
      else {
        const seen = await store.read()
        if (!isDue(seen, now()) && !isUnderWay(seen.check, now())) return statusOf(seen, now(), store.isKept())
        await startRefresh().done
      }
      return status()
    },
  }
}
