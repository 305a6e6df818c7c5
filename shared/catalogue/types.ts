import type { IndexListing } from '../contract/index.ts'

/**
 * Where the index is stored: a key-value store whose two calls are each one transaction, so that a reader sees the old
 * index or the new one and never a mixture. Values are structured-cloneable and JSON-safe.
 * A call may reject (quota, private mode, corrupt file); the catalogue goes on from memory then.
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
  /** Fetches one index document. The catalogue decides when. Failures are remembered, whatever their kind. */
  readonly fetchIndex: (options: { signal: AbortSignal }) => Promise<unknown>
  readonly storage: CatalogueStorage
  /** @default navigator.locks where there is one, else an in-process lock */
  readonly lock?: CatalogueLock
  /** Wall clock, ms since 1970. @default Date.now */
  readonly now?: () => number
  /** Calls `fire` after `ms` unless the returned function was called before. @default setTimeout */
  readonly timer?: (ms: number, fire: () => void) => () => void
  /** Called with each index that replaces the stored one. The refresh ends when it resolves. */
  readonly onSaved?: (index: SavedIndex) => Promise<void>
  /** Called with what went wrong in the background; for a log, never for control. */
  readonly onProblem?: (problem: CatalogueProblem) => void
}

/** The options with their defaults. */
export type Environment = Required<CatalogueOptions>

export interface SavedIndex {
  readonly generated: string
  /** All listings of each repository, by folded `owner/repo`. */
  readonly repositories: readonly (readonly [repository: string, listings: readonly IndexListing[]])[]
}

/**
 * - `read`, `write`: the storage failed; the tab goes on from memory
 * - `corrupt`: what is stored cannot be understood and is not used
 * - `fetch`: the request failed
 * - `refused`: the document must not replace the stored index
 * - `lock`: another tab has been refreshing for long, or the lock itself failed
 */
export interface CatalogueProblem {
  readonly kind: 'read' | 'corrupt' | 'write' | 'fetch' | 'refused' | 'lock'
  readonly cause?: unknown
}

/** Empty: no index. Fresh: checked less than 6 h ago. Stale: look-ups answer at once, and refresh. Expired: over 30 days. */
export type Freshness = 'empty' | 'fresh' | 'stale' | 'expired'

export interface CatalogueStatus {
  readonly state: Freshness
  /** `generated` of the index; null when there is none. */
  readonly generated: string | null
  /** Origin the listings' pages live on; null when there is no index. */
  readonly site: string | null
  /** Listings in the index. */
  readonly count: number
  /** Rows of the document that did not parse. */
  readonly rejected: number
  /** ms since the index was last known to be the newest; null when there is none, never negative. */
  readonly ageMs: number | null
  /** The last failure since the last success. */
  readonly failure: { readonly message: string; readonly attempts: number; readonly nextTryAt: number } | null
  /** False when the storage could not be written and the index lives in this tab only. */
  readonly isSaved: boolean
}

/** Answers from the stored index, and keeps it fresh. */
export interface Catalogue {
  /** All listings of each repository, keyed by folded `owner/repo`; repositories without listings are absent. */
  byRepositories(ownerRepos: Iterable<string>): Promise<Map<string, IndexListing[]>>
  /** All listings of one repository, a monorepo's subdirectories included. */
  byRepository(ownerRepo: string): Promise<IndexListing[]>
  /**
   * Visits all repositories with their listings, in no order, and yields to other tasks between reads. Starts no refresh.
   *
   * @returns `generated` of the index; null when there is none, or it was replaced or found damaged meanwhile: then what
   * was visited is not to be used
   */
  eachRepository(visit: (repository: string, listings: readonly IndexListing[]) => void): Promise<string | null>
  status(): Promise<CatalogueStatus>
  /**
   * Refreshes the index when it is due: no request goes out while it is fresh or the back-off runs.
   *
   * @param options.force a person asked: freshness and back-off do not count; the lock, and another tab's request, do
   */
  refresh(options?: { force?: boolean }): Promise<CatalogueStatus>
  /** Drops the index and the attempts that are in memory only. Call it when the storage is cleared. */
  forget(): void
}
