import type { IndexListing } from '../contract/index.ts'

/**
 * Where the index copy is kept: a key-value store whose two calls are each one transaction, so that a reader sees
 * the old copy or the new one and never a mixture. Values are structured-cloneable and JSON-safe.
 * A call may reject (quota, private mode, corrupt file); the cache goes on from memory then.
 */
export interface CatalogueStorage {
  /** Values in the order of `keys`; undefined where there is none. */
  getMany(keys: readonly string[]): Promise<unknown[]>
  /** Writes all entries or none. A value of undefined removes its key. */
  setMany(entries: readonly (readonly [key: string, value: unknown])[]): Promise<void>
}

/** A lock over every tab or process that shares the storage. */
export interface CatalogueLock {
  /**
   * Runs `task` while nobody else holds the lock.
   * @param waitMs how long to wait for it
   * @param task is told whether nobody else is nobody in any tab or process, or only in this one
   * @returns what `task` returned, or `{held: false}` when the lock was not to be had in time
   */
  run<T>(waitMs: number, task: (isAlone: boolean) => Promise<T>): Promise<{ held: true; value: T } | { held: false }>
}

export interface CatalogueOptions {
  /** Fetches one index document. The cache decides when. Failures are remembered, whatever their kind. */
  readonly fetchIndex: (options: { signal: AbortSignal }) => Promise<unknown>
  readonly storage: CatalogueStorage
  /** @default navigator.locks where there is one, else an in-process lock */
  readonly lock?: CatalogueLock
  /** Wall clock, ms since 1970. @default Date.now */
  readonly now?: () => number
  /** Calls `fire` after `ms` unless the returned function was called before. @default setTimeout */
  readonly timer?: (ms: number, fire: () => void) => () => void
  /** Called with what went wrong in the background; for a log, never for control. */
  readonly onProblem?: (problem: CatalogueProblem) => void
}

/**
 * - `read`, `write`: the storage failed; the tab goes on from memory
 * - `corrupt`: what is stored cannot be understood and is not used
 * - `fetch`: the request failed
 * - `refused`: the document must not replace the copy
 * - `lock`: another tab has been refreshing for long, or the lock itself failed
 */
export interface CatalogueProblem {
  readonly kind: 'read' | 'corrupt' | 'write' | 'fetch' | 'refused' | 'lock'
  readonly cause?: unknown
}

/** EMPTY: no copy. FRESH: checked less than 6 h ago. STALE: answered at once, refreshed behind. EXPIRED: over 30 days. */
export type CopyState = 'empty' | 'fresh' | 'stale' | 'expired'

export interface CatalogueStatus {
  readonly state: CopyState
  /** `generated` of the copy; null when there is none. */
  readonly generated: string | null
  /** Origin the listings' pages live on; null when there is no copy. */
  readonly site: string | null
  /** Listings in the copy. */
  readonly count: number
  /** Rows of the document that did not parse. */
  readonly rejected: number
  /** ms since the copy was last known to be the newest; null when there is none, never negative. */
  readonly ageMs: number | null
  /** The last failure since the last success. */
  readonly failure: { readonly message: string; readonly attempts: number; readonly nextTryAt: number } | null
  /** False when the storage could not be written and the copy lives in this tab only. */
  readonly kept: boolean
}

/** What a page asks of the copy. */
export interface PageCatalogue {
  /** All listings of each repository, keyed by folded `owner/repo`; repositories without listings are absent. */
  byRepositories(ownerRepos: Iterable<string>): Promise<Map<string, IndexListing[]>>
  /** All listings of one repository, a monorepo's subdirectories included. */
  byRepository(ownerRepo: string): Promise<IndexListing[]>
  /**
   * Visits all repositories of the copy with their listings, in no order, and gives way to other tasks on the way.
   * Sees to no freshness.
   *
   * @returns `generated` of the copy, or null when there is none, or it was replaced or found damaged on the way: then
   * what was visited is not to be used
   */
  eachRepository(visit: (repository: string, listings: IndexListing[]) => void): Promise<string | null>
  status(): Promise<CatalogueStatus>
  /**
   * Brings the copy up to date when it is due: no request goes out while it is fresh or the back-off runs.
   * @param options.force a person asked: freshness and back-off are passed over, the lock and its re-read are not
   */
  refresh(options?: { force?: boolean }): Promise<CatalogueStatus>
  /** Lets go of what is in memory of the copy and of the course of its checks: for a storage that is cleared. */
  forget(): void
}

/** The same, and what reads the whole copy. */
export interface Catalogue extends PageCatalogue {
  /** Listings published under this registry name. */
  byPackage(name: string): Promise<IndexListing[]>
  /** Every listing, in the order of the document. */
  all(): Promise<IndexListing[]>
}
