import { type IndexListing, repositoryKey } from '../contract/index.ts'
import { isUnderWay } from './backoff.ts'
import { allBuckets, BUCKETS, bucketOf, listingsOf, repositoriesOf } from './buckets.ts'
import { webLock } from './lock/web.ts'
import { createRefresh, type Refresh } from './refresh.ts'
import { chunked } from './chunked.ts'
import { copyState, isDue, type Known } from './state.ts'
import { statusOf } from './status.ts'
import { type CopyStore, createCopyStore, type Snapshot } from './store.ts'
import { passed, systemTimer } from './time-limit.ts'
import { EMPTY_PATIENCE_MS, EXPIRED_PATIENCE_MS } from './timing.ts'
import type { CatalogueOptions, CatalogueProblem, CatalogueStatus, PageCatalogue } from './types.ts'

type Buckets = Snapshot['buckets']

/** Answers from the texts of some buckets, and sees to the freshness of the copy. */
type LookUp = <T>(buckets: readonly number[], take: (buckets: Buckets) => T) => Promise<T>

/** Buckets that a reader of the whole copy asks for at once. */
const BUCKETS_A_READ = 32

/** The catalogue without what reads all of it, for pages, which have no need of that. */
export function createPageCatalogue(options: CatalogueOptions): PageCatalogue & { readonly lookUp: LookUp } {
  const { storage, fetchIndex, lock = webLock(), now = Date.now, timer = systemTimer } = options
  let store: CopyStore
  let refresh: Refresh
  const forget = () => {
    store = createCopyStore({ storage, now, timer, report })
    refresh = createRefresh({ store, lock, fetchIndex, now, timer, report })
  }
  forget()
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
    await Promise.race([done, passed(timer, patience - Math.max(0, now() - since))])
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
        await chunked(found.values(), (text) => {
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
    lookUp,
    byRepositories,
    eachRepository,
    byRepository: async (ownerRepo) => (await byRepositories([ownerRepo])).get(repositoryKey(ownerRepo)) ?? [],
    status,
    forget,
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
