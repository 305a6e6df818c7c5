import type { Lock, Timer } from '../async/index.ts'
import type { IndexListing } from '../contract/index.ts'

/** All listings of one repository, and its folded `owner/repo`. */
export type RepositoryListings = readonly [repository: string, listings: readonly IndexListing[]]

/**
 * Keeps one index and one state for all tabs or processes. Every call is one transaction: readers see the index either
 * before a write or after it. A call may reject (quota, private mode, damaged file).
 *
 * Values that a store returns are unchecked: other programs may have written them.
 */
export interface IndexStore {
  /** True if the store refuses listings that another program changed, so that they need no validation. @default false */
  readonly isVerified?: boolean
  /** Returns the state that was saved last; undefined when there is none. */
  load(): Promise<unknown>
  /** Returns the listings of these repositories, in this order; undefined for one that is not in the index. */
  find(repositories: readonly string[]): Promise<unknown[]>
  /** Calls `visit` with the listings of every repository, in any order. */
  forEach(visit: (repository: string, listings: unknown) => void): Promise<void>
  saveState(state: object): Promise<void>
  /** Replaces the index and the state. */
  replace(repositories: readonly RepositoryListings[], state: object): Promise<void>
  /** Deletes the index and the state. */
  clear(): Promise<void>
}

export interface IndexCacheOptions {
  /** Fetches one index document. The cache decides when. */
  readonly fetchIndex: (options: { signal: AbortSignal }) => Promise<unknown>
  readonly store: IndexStore
  /** Lock over every tab or process that shares the store. */
  readonly lock: Lock
  /** Returns the time of the wall clock, ms since 1970. @default Date.now */
  readonly now?: () => number
  /** @default setTimeout */
  readonly timer?: Timer
  /** Called with each newer index, after it was stored. The refresh ends when the promise resolves. */
  readonly onSaved?: (index: SavedIndex) => Promise<void>
  /** Called with each failure in the background, for a log. */
  readonly onProblem?: (problem: IndexProblem) => void
}

/** The options with their defaults. */
export type Environment = Required<IndexCacheOptions>

export interface SavedIndex {
  readonly generated: string
  /** False when it could not be stored, and other tabs or processes continue to use the older index of the store. */
  readonly isShared: boolean
  readonly repositories: readonly RepositoryListings[]
}

/**
 * - `read`, `write`: the store failed, and the cache continues from memory
 * - `damaged`: stored data does not parse and is not used
 * - `fetch`: the request failed
 * - `refused`: the document must not replace the stored index
 * - `lock`: another tab has been refreshing for long, or the lock itself failed
 */
export interface IndexProblem {
  readonly kind: 'read' | 'damaged' | 'write' | 'fetch' | 'refused' | 'lock'
  readonly cause?: unknown
}

/**
 * Reason of a failed refresh.
 * - `http`: the directory responded with an error status
 * - `network`, `timeout`: no response, or not in time
 * - `refused`: the document cannot be used
 * - `unsaved`: the index could not be stored
 */
export interface IndexFailure {
  readonly kind: 'http' | 'network' | 'timeout' | 'refused' | 'unsaved' | 'other'
  /** Status of the response; null without one. */
  readonly status: number | null
  /** In English, for a log. */
  readonly message: string
}

/**
 * Empty: no index. Fresh: checked less than 6 h ago. Stale: answers at once, and refreshes. Expired: over 30 days old.
 */
export type Freshness = 'empty' | 'fresh' | 'stale' | 'expired'

/** Difference of a requested index from the stored one, which it replaces only if the user agrees. */
export interface IndexDifference {
  readonly stored: { readonly generated: string; readonly site: string }
  readonly offered: { readonly generated: string; readonly site: string }
}

export interface IndexStatus {
  readonly state: Freshness
  /** `generated` of the index; null when there is none. */
  readonly generated: string | null
  /** Base address of the listings' pages, without a trailing slash; null when there is no index. */
  readonly site: string | null
  /** Number of listings in the index. */
  readonly count: number
  /** Rows of the document that did not parse, or repeat a name. */
  readonly rejected: number
  /** ms since the index was last known to be the newest; null when there is none, never negative. */
  readonly ageMs: number | null
  /** True for a minute after the last request, unless that succeeded. */
  readonly triedLately: boolean
  /** The last failure since the last success. */
  readonly failure:
    | (IndexFailure & { readonly sentAt: number; readonly attempts: number; readonly nextTryAt: number })
    | null
  /** Set after a refresh in this tab whose document is of another site or older than the stored index, else null. */
  readonly difference: IndexDifference | null
  /** False when the store could not be written and the index exists in this tab only. */
  readonly isSaved: boolean
}

export interface RefreshOptions {
  /** True for a request by the user: ignores freshness and back-off, but not a request by another tab since then. */
  readonly force?: boolean
  /** True when the user agreed to the `difference`: an index of another site or an older one replaces the stored one. */
  readonly replace?: boolean
}

/** Answers from the stored index, and keeps it fresh. */
export interface IndexCache {
  /** Returns all listings of each repository, by folded `owner/repo`; repositories without listings are absent. */
  byRepositories(ownerRepos: Iterable<string>): Promise<Map<string, readonly IndexListing[]>>
  /** Returns all listings of one repository, a monorepo's subdirectories included. */
  byRepository(ownerRepo: string): Promise<readonly IndexListing[]>
  /**
   * Calls `visit` with all repositories and their listings, in any order. Starts no refresh.
   *
   * @returns `generated` of the index; null when there is none, or it was replaced or found damaged meanwhile: then the
   *   visited listings must not be used
   */
  eachRepository(visit: (repository: string, listings: readonly IndexListing[]) => void): Promise<string | null>
  status(): Promise<IndexStatus>
  /** Refreshes the index when it is due: sends no request while it is fresh or the back-off runs. Never rejects. */
  refresh(options?: RefreshOptions): Promise<IndexStatus>
  /** Deletes the index and its state, and ends a running refresh, so that its answer is not stored. */
  clear(): Promise<void>
}
