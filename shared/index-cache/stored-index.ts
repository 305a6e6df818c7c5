import * as v from 'valibot'
import { chunked, withTimeLimit } from '../async/index.ts'
import { type IndexListing, IndexListingSchema } from '../contract/index.ts'
import { EMPTY_STATE, failed, type IndexHeader, type IndexState, IndexStateSchema } from './state.ts'
import { CLOCK_SKEW_MS, READ_LIMIT_MS, SILENT_LIMIT_MS, WRITE_LIMIT_MS } from './timing.ts'
import type { Environment, RepositoryListings } from './types.ts'

const ListingsSchema = v.array(IndexListingSchema)

/** Listings by repository; null when there is no index, or it is damaged. */
type Found = ReadonlyMap<string, readonly IndexListing[]> | null

/** The index in the store, with unsaved data in memory. No method rejects, except `clear`. */
export interface StoredIndex {
  load(): Promise<IndexState>
  /** Reads the state and the listings of these repositories. */
  find(repositories: readonly string[]): Promise<{ readonly state: IndexState; readonly listings: Found }>
  /**
   * Visits all listings. @returns `generated` of the index; null when there is none, or it was replaced or is damaged
   */
  forEach(visit: (repository: string, listings: readonly IndexListing[]) => void): Promise<string | null>
  /** Saves everything but the index header. */
  saveState(state: IndexState): Promise<void>
  /** Saves a state in which the index is the newest, and an index that could not be stored before. */
  confirm(state: IndexState): Promise<void>
  /** @returns false when the index could not be stored, and the store still has an older one */
  replace(repositories: readonly RepositoryListings[], state: IndexState): Promise<boolean>
  clear(): Promise<void>
  /**
   * Returns true if the state was cleared, or saved by another tab, since this tab saved its own. Call it after `load`.
   */
  isOwnStateGone(): boolean
  /** Returns false while the store cannot be read, or memory holds unsaved data. */
  isSaved(): boolean
}

export function createStoredIndex({ store, now, timer, onProblem }: Environment): StoredIndex {
  /** The index that could not be stored. */
  let unsaved: {
    readonly header: IndexHeader
    readonly repositories: ReadonlyMap<string, readonly IndexListing[]>
  } | null = null
  /** The state that this tab saved last, in case the store loses it. */
  let ownState: IndexState = EMPTY_STATE
  let isOwnStateSaved = false
  /** The state in the store, as of the last read or write. */
  let storedState: IndexState = EMPTY_STATE
  let failedReads = 0
  /** Identity of a stored index that was found damaged. */
  let damaged: string | null = null

  /** Parsing 20,000 listings again takes as long as reading them. */
  const isValid = (listings: unknown): listings is readonly IndexListing[] =>
    store.isVerified === true || v.is(ListingsSchema, listings)
  const identity = ({ generated, savedAt }: IndexHeader): string => `${generated} ${savedAt}`
  const limit = (ms: number): number => (failedReads > 1 ? SILENT_LIMIT_MS : ms)

  /** Returns null when the read failed or took too long. */
  async function reading<T>(read: () => Promise<T>): Promise<T | null> {
    try {
      const answer = read()
      // A late answer still shows that the store works.
      answer.then(
        () => {
          failedReads = 0
        },
        () => {},
      )
      return await withTimeLimit(timer, limit(READ_LIMIT_MS), 'Reading the stored index', answer)
    } catch (cause) {
      failedReads++
      onProblem({ kind: 'read', cause })
      return null
    }
  }

  async function load(): Promise<IndexState> {
    const stored = await reading(() => store.load())
    if (stored === null) return merge(EMPTY_STATE)
    const state = v.is(IndexStateSchema, stored) ? stored : null
    if (state === null && stored !== undefined) onProblem({ kind: 'damaged' })
    storedState = state ?? EMPTY_STATE
    return merge(storedState)
  }

  /** Adds unsaved data from memory, and drops it once the store is known to have the same or newer data. */
  function merge(stored: IndexState): IndexState {
    if (unsaved && stored.index && stored.index.generated >= unsaved.header.generated) unsaved = null
    const isDamaged = stored.index !== null && identity(stored.index) === damaged
    const index = unsaved?.header ?? (isDamaged ? null : stored.index)
    const ownSentAt = lastSentAt(ownState)
    const isOwnNewer = ownSentAt > Number.NEGATIVE_INFINITY && ownSentAt >= lastSentAt(stored)
    return { ...(isOwnNewer ? ownState : stored), index }
  }

  /** Treats a time ahead of the clock as the oldest, because the clock was set back since. */
  function lastSentAt({ lastSentAt: at }: IndexState): number {
    return at === null || at > now() + CLOCK_SKEW_MS ? Number.NEGATIVE_INFINITY : at
  }

  async function writing(write: () => Promise<void>): Promise<boolean> {
    try {
      await withTimeLimit(timer, limit(WRITE_LIMIT_MS), 'Storing the index', write())
      return true
    } catch (cause) {
      onProblem({ kind: 'write', cause })
      return false
    }
  }

  async function saveState(state: IndexState): Promise<void> {
    ownState = state
    isOwnStateSaved = await writing(() => store.saveState({ ...state, index: storedState.index }))
  }

  async function replace(repositories: readonly RepositoryListings[], state: IndexState): Promise<boolean> {
    const pending = state.index && { header: state.index, repositories: new Map(repositories) }
    unsaved = pending
    ownState = state
    const isWritten = await writing(() => store.replace(repositories, state))
    if (!isWritten) {
      // Other tabs must not keep requesting an index that cannot be stored.
      const reason = { kind: 'unsaved', status: null, message: 'The index could not be stored.' } as const
      const failure = failed({ ...storedState, lastSentAt: state.lastSentAt }, reason)
      ownState = { ...state, failure: failure.failure }
      isOwnStateSaved = await writing(() => store.saveState(failure))
      return storedState.index === null
    }
    isOwnStateSaved = true
    damaged = null
    // A store that cannot be read may not return the data that it accepted.
    if (failedReads === 0 && unsaved === pending) unsaved = null
    return true
  }

  return {
    load,
    saveState,
    async confirm(state) {
      if (unsaved) await replace([...unsaved.repositories], { ...state, index: unsaved.header })
      else await saveState(state)
    },
    replace,
    async find(repositories) {
      const [state, stored] = await Promise.all([load(), reading(() => store.find(repositories))])
      if (state.index === null) return { state, listings: null }
      const onDamage = () => {
        damaged = identity(state.index!)
        onProblem({ kind: 'damaged' })
        return { state: { ...state, index: null }, listings: null }
      }
      if (unsaved === null && stored === null) return onDamage()
      const listings = new Map<string, readonly IndexListing[]>()
      for (const [at, repository] of repositories.entries()) {
        const found = unsaved ? unsaved.repositories.get(repository) : stored?.[at]
        if (found === undefined) continue
        if (unsaved === null && !isValid(found)) return onDamage()
        listings.set(repository, found as readonly IndexListing[])
      }
      return { state, listings }
    },
    async forEach(visit) {
      const { index } = await load()
      if (index === null) return null
      let isDamaged = false
      let count = 0
      if (unsaved) {
        await chunked(unsaved.repositories, ([repository, listings]) => visit(repository, listings))
      } else {
        const visitValid = (repository: string, listings: unknown) => {
          if (isValid(listings)) {
            count += listings.length
            visit(repository, listings)
          } else isDamaged = true
        }
        await store.forEach(visitValid).catch((cause) => {
          isDamaged = true
          onProblem({ kind: 'read', cause })
        })
        isDamaged ||= count === 0
      }
      if (isDamaged) damaged = identity(index)
      const after = await load()
      return !isDamaged && after.index !== null && identity(after.index) === identity(index) ? index.generated : null
    },
    async clear() {
      unsaved = null
      ownState = EMPTY_STATE
      storedState = EMPTY_STATE
      await withTimeLimit(timer, WRITE_LIMIT_MS, 'Deleting the stored index', store.clear())
    },
    isOwnStateGone: () => failedReads === 0 && isOwnStateSaved && storedState.lastSentAt !== ownState.lastSentAt,
    isSaved: () => failedReads === 0 && unsaved === null,
  }
}
