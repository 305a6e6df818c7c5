import * as v from 'valibot'
import { chunked, withTimeLimit } from '../async/index.ts'
import { type IndexListing, IndexListingSchema } from '../contract/index.ts'
import {
  CLOCK_SKEW_MS,
  EMPTY_STATE,
  failed,
  type IndexHeader,
  type IndexState,
  IndexStateSchema,
  READ_LIMIT_MS,
  SILENT_LIMIT_MS,
  WRITE_LIMIT_MS,
} from './refresh-state.ts'
import type { Environment, RepositoryListings } from './types.ts'

const ListingsSchema = v.array(IndexListingSchema)

/** Listings by repository; null when there is no index, or it is damaged. */
type Found = ReadonlyMap<string, readonly IndexListing[]> | null

/** The index in the store, with unsaved data in memory. No method rejects, except `clear`. */
export class StoredIndex {
  readonly #env: Environment
  /** The index that could not be stored. */
  #unsaved: {
    readonly header: IndexHeader
    readonly repositories: ReadonlyMap<string, readonly IndexListing[]>
  } | null = null
  /** The state that this tab saved last, in case the store loses it. */
  #ownState: IndexState = EMPTY_STATE
  #isOwnStateSaved = false
  /** The state in the store, as of the last read or write. */
  #storedState: IndexState = EMPTY_STATE
  #failedReads = 0
  /** Identity of a stored index that was found damaged. */
  #damaged: string | null = null

  constructor(env: Environment) {
    this.#env = env
  }

  // Reading

  async load(): Promise<IndexState> {
    const stored = await this.#reading(() => this.#env.store.load())
    if (stored === null) return this.#merge(EMPTY_STATE)
    const state = v.is(IndexStateSchema, stored) ? stored : null
    if (state === null && stored !== undefined) this.#env.onProblem({ kind: 'damaged' })
    this.#storedState = state ?? EMPTY_STATE
    return this.#merge(this.#storedState)
  }

  /** Reads the state and the listings of these repositories. */
  async find(repositories: readonly string[]): Promise<{ readonly state: IndexState; readonly listings: Found }> {
    const { store } = this.#env
    const [state, stored] = await Promise.all([this.load(), this.#reading(() => store.find(repositories))])
    if (state.index === null) return { state, listings: null }
    const unsaved = this.#unsaved?.repositories
    const listings = new Map<string, readonly IndexListing[]>()
    let isDamaged = !unsaved && stored === null
    for (const [at, repository] of repositories.entries()) {
      const found = unsaved ? unsaved.get(repository) : stored?.[at]
      if (found === undefined) continue
      if (unsaved || this.#isValid(found)) listings.set(repository, found as readonly IndexListing[])
      else isDamaged = true
    }
    if (!isDamaged) return { state, listings }
    this.#damaged = identity(state.index)
    this.#env.onProblem({ kind: 'damaged' })
    return { state: { ...state, index: null }, listings: null }
  }

  /**
   * Visits all listings. @returns `generated` of the index; null when there is none, or it was replaced or is damaged
   */
  async forEach(visit: (repository: string, listings: readonly IndexListing[]) => void): Promise<string | null> {
    const { index } = await this.load()
    if (index === null) return null
    let isDamaged = false
    let count = 0
    const visitValid = (repository: string, listings: unknown) => {
      if (this.#isValid(listings)) {
        count += listings.length
        visit(repository, listings)
      } else isDamaged = true
    }
    if (this.#unsaved)
      await chunked(this.#unsaved.repositories, ([repository, listings]) => visit(repository, listings))
    else {
      await this.#env.store.forEach(visitValid).catch((cause) => {
        isDamaged = true
        this.#env.onProblem({ kind: 'read', cause })
      })
      isDamaged ||= count === 0
    }
    if (isDamaged) this.#damaged = identity(index)
    const after = await this.load()
    return !isDamaged && after.index !== null && identity(after.index) === identity(index) ? index.generated : null
  }

  /** Parsing 20,000 listings again takes as long as reading them. */
  #isValid(listings: unknown): listings is readonly IndexListing[] {
    return this.#env.store.isVerified === true || v.is(ListingsSchema, listings)
  }

  /** Returns null when the read failed or took too long. */
  async #reading<T>(read: () => Promise<T>): Promise<T | null> {
    try {
      const answer = read()
      // A late answer still shows that the store works.
      answer.then(
        () => {
          this.#failedReads = 0
        },
        () => {},
      )
      return await withTimeLimit(this.#env.timer, this.#limit(READ_LIMIT_MS), 'Reading the stored index', answer)
    } catch (cause) {
      this.#failedReads++
      this.#env.onProblem({ kind: 'read', cause })
      return null
    }
  }
  #limit(ms: number): number {
    return this.#failedReads > 1 ? SILENT_LIMIT_MS : ms
  }

  /** Adds unsaved data from memory, and drops it once the store is known to have the same or newer data. */
  #merge(stored: IndexState): IndexState {
    if (this.#unsaved && stored.index && stored.index.generated >= this.#unsaved.header.generated) this.#unsaved = null
    const isDamaged = stored.index !== null && identity(stored.index) === this.#damaged
    const index = this.#unsaved?.header ?? (isDamaged ? null : stored.index)
    const ownSentAt = this.#lastSentAt(this.#ownState)
    const isOwnNewer = ownSentAt > Number.NEGATIVE_INFINITY && ownSentAt >= this.#lastSentAt(stored)
    return { ...(isOwnNewer ? this.#ownState : stored), index }
  }
  /** Treats a time ahead of the clock as the oldest, because the clock was set back since. */
  #lastSentAt({ lastSentAt: at }: IndexState): number {
    return at === null || at > this.#env.now() + CLOCK_SKEW_MS ? Number.NEGATIVE_INFINITY : at
  }

  /** Returns false while the store cannot be read, or memory holds unsaved data. */
  isSaved(): boolean {
    return this.#failedReads === 0 && this.#unsaved === null
  }
  /**
   * Returns true if the state was cleared, or saved by another tab, since this tab saved its own. Call it after `load`.
   */
  isOwnStateGone(): boolean {
    const isOther = this.#storedState.lastSentAt !== this.#ownState.lastSentAt
    return this.#failedReads === 0 && this.#isOwnStateSaved && isOther
  }

  // Writing

  /** Saves everything but the index header. */
  async saveState(state: IndexState): Promise<void> {
    this.#ownState = state
    const { index } = this.#storedState
    this.#isOwnStateSaved = await this.#writing(() => this.#env.store.saveState({ ...state, index }))
  }

  /** Saves a state in which the index is the newest, and an index that could not be stored before. */
  async confirm(state: IndexState): Promise<void> {
    if (this.#unsaved) await this.replace([...this.#unsaved.repositories], { ...state, index: this.#unsaved.header })
    else await this.saveState(state)
  }

  /** @returns false when the index could not be stored, and the store still has an older one */
  async replace(repositories: readonly RepositoryListings[], state: IndexState): Promise<boolean> {
    const pending = state.index && { header: state.index, repositories: new Map(repositories) }
    this.#unsaved = pending
    this.#ownState = state
    const isWritten = await this.#writing(() => this.#env.store.replace(repositories, state))
    if (!isWritten) {
      // Other tabs must not keep requesting an index that cannot be stored.
      const reason = { kind: 'unsaved', status: null, message: 'The index could not be stored.' } as const
      const failure = failed({ ...this.#storedState, lastSentAt: state.lastSentAt }, reason)
      this.#ownState = { ...state, failure: failure.failure }
      this.#isOwnStateSaved = await this.#writing(() => this.#env.store.saveState(failure))
      return this.#storedState.index === null
    }
    this.#isOwnStateSaved = true
    this.#damaged = null
    // A store that cannot be read may not return the data that it accepted.
    if (this.#failedReads === 0 && this.#unsaved === pending) this.#unsaved = null
    return true
  }

  async clear(): Promise<void> {
    this.#unsaved = null
    this.#ownState = EMPTY_STATE
    this.#storedState = EMPTY_STATE
    await withTimeLimit(this.#env.timer, WRITE_LIMIT_MS, 'Deleting the stored index', this.#env.store.clear())
  }

  async #writing(write: () => Promise<void>): Promise<boolean> {
    try {
      await withTimeLimit(this.#env.timer, this.#limit(WRITE_LIMIT_MS), 'Storing the index', write())
      return true
    } catch (cause) {
      this.#env.onProblem({ kind: 'write', cause })
      return false
    }
  }
}

const identity = ({ generated, savedAt }: IndexHeader): string => `${generated} ${savedAt}`
