import { setTimeout as pause } from 'node:timers/promises'
import { INDEX_FRESH_MS, type IndexListing, isCategory, LIMITS, listingKey } from '@plugmark/shared/contract'
import type { IndexCache, IndexDifference } from '@plugmark/shared/index-cache'
import type {
  Answer,
  CatalogueState,
  CatalogueStatus,
  ListingDetails,
  ListingsPage,
  StoreCalls,
  StoreListing,
} from '../../protocol/index.ts'
import type { OnProblem } from '../../protocol/problems.ts'
import { answer } from '../../protocol/protocol.ts'
import {
  type Connect,
  connectTo,
  directoryError,
  failureOf,
  openIndexCache,
  readVerdicts,
  unlisted,
} from './directory.ts'
import { type KnownRecord, type ListedRecord, Listings, toDetails } from './listings.ts'
import { copyFolder, copyVersion, recordsFile } from './stored-copy.ts'

/** Rows in one page for a screen: they fill it. */
const PAGE_ROWS = 100
/** The largest page size that every server answers correctly. */
const PAGE = LIMITS.safePageSizes[2]
/** Pause between two requests of a series, in ms, so that other clients of the directory need not wait. */
const PAUSE_MS = 100
/** Time after a failure in which opening a page does not retry, in ms. The Retry button always does. */
const RETRY_MS = 30_000
/** Most pages that one call of `describe` reads. A screen that still shows rows without a record calls it again. */
const MOST_DESCRIBE_PAGES = 4

/** Every listing, for the same process. */
export interface AllListings {
  readonly status: CatalogueStatus
  readonly rows: readonly StoreListing[]
  /** Version of the stored copy with exactly these rows, as `copyVersion` returns it; null when there is none. */
  readonly copy: string | null
}

interface LoadOptions {
  /** True when the user asked, which reads recent data again too. */
  readonly force?: boolean
  /** True when the user agreed to the `difference`. */
  readonly replace?: boolean
}

export interface CatalogueOptions {
  /** Address of the directory. */
  readonly baseUrl: string
  /** Program that install commands name. */
  readonly cli: string
  /** Directory that copies are stored in; null for memory alone. */
  readonly stateDir: string | null
  /** Replaces the system's own `fetch`. */
  readonly fetch?: typeof fetch
  readonly now: () => number
  readonly onStatus: (status: CatalogueStatus) => void
  /** Called with errors of background work, for a log. */
  readonly onProblem: OnProblem
}

/**
 * Every listing of a directory, read from the stored copy and then refreshed. Each pair of a directory and a program
 * that install commands name has a folder of its own, so that their copies never mix.
 */
export class Catalogue {
  /** Address of the directory. */
  readonly baseUrl: string
  readonly #options: CatalogueOptions
  readonly #connect: Connect
  /** Folder of the stored copy; null for memory alone. */
  readonly #folder: string | null
  readonly #listings: Listings
  readonly #index: IndexCache
  readonly #closed = new AbortController()
  /** Resolves once the stored listings and the cached index are loaded. Never rejects. */
  readonly #opened: Promise<void>

  /** @throws DirectoryError when the address cannot be that of a directory */
  constructor(options: CatalogueOptions) {
    const { stateDir, cli, now, onProblem, fetch } = options
    this.#options = options
    this.#connect = connectTo({ baseUrl: options.baseUrl, ...(fetch ? { fetch } : {}) })
    this.baseUrl = this.#connect().baseUrl
    const folder = stateDir && copyFolder(stateDir, { baseUrl: this.baseUrl, cli })
    this.#folder = folder
    this.#listings = new Listings({ path: folder && recordsFile(folder), cli, now, onProblem })
    this.#index = openIndexCache({ connect: this.#connect, folder, now, signal: this.#signal, onProblem })
    this.#opened = this.#loadStored().catch((cause) => onProblem('directory-unread', cause))
  }

  get calls(): Pick<StoreCalls, 'listings' | 'search' | 'describe' | 'details' | 'refresh'> {
    return {
      listings: async ({ from }) => answer(await this.page(from)),
      search: ({ query }) => this.search(query).then(answer, directoryError),
      describe: ({ ids }) => this.describe(ids).then(answer, directoryError),
      details: ({ id, profile }) =>
        this.details(id, profile).then((found) => (found === null ? unlisted() : answer(found)), directoryError),
      refresh: async ({ replace = false }) => {
        void this.load({ force: true, replace })
        return answer(this.status())
      },
    }
  }

  get #signal() {
    return this.#closed.signal
  }
  #now(): number {
    return this.#options.now()
  }
  #onChange(): void {
    if (!this.#signal.aborted) this.#options.onStatus(this.status())
  }

  status(): CatalogueStatus {
    const { revision, end, count, described, indexGenerated, facts } = this.#listings
    return {
      state: this.#state,
      revision,
      end,
      count,
      described,
      rejected: this.#rejected,
      generated: indexGenerated,
      loadedAt: facts.loadedAt,
      failure: this.#failure,
      difference: this.#difference,
    }
  }
  /** Returns the rows from a position on, for a page. */
  async page(from: number): Promise<ListingsPage> {
    await this.#opened
    return { status: this.status(), from, ...this.#listings.page(from, PAGE_ROWS) }
  }
  /** Returns every listing. Unlike `page`, does not split them. */
  async all(): Promise<AllListings> {
    await this.#opened
    const { end, revision } = this.#listings
    const [status, rows] = [this.status(), this.#listings.rows()]
    const version = await this.#storedVersion().catch(() => null)
    const isSame = end === this.#listings.end && revision === this.#listings.revision
    return { status, rows, copy: isSame ? version : null }
  }
  /** Returns the version of the stored copy; null unless it is what is in memory. */
  async #storedVersion(): Promise<string | null> {
    if (this.#folder === null) return null
    // Content that another process writes after this line differs from it, or has another version.
    const version = await copyVersion(this.#folder)
    const { generated, isSaved } = await this.#index.status()
    const isStored = isSaved && generated === this.#listings.indexGenerated && (await this.#listings.isStored())
    return isStored ? version : null
  }
  async close(): Promise<void> {
    this.#closed.abort()
    await Promise.all([this.#opened, this.#loading])
    await this.#listings.close()
  }

  // Keeping the listings current: the verdicts and the index

  #state: CatalogueState = 'idle'
  /** Reason why the last reading failed. */
  #failure: CatalogueStatus['failure'] = null
  /** Rows of the last answer that did not parse. */
  #rejected = 0
  /** Reason why the last index that the user asked for did not replace the stored one. */
  #difference: IndexDifference | null = null
  #loading: Promise<void> | null = null
  /** Number of readings that have begun. */
  #readings = 0
  #triedAt = Number.NEGATIVE_INFINITY

  /** Reads the directory, unless a reading is running or the data is recent. Never rejects. */
  load(request: LoadOptions = {}): Promise<void> {
    const { force = false, replace = false } = request
    const isReading = this.#state === 'loading'
    if (this.#loading && (!force || (isReading && !replace))) return this.#loading
    const readings = this.#readings
    const before = this.#loading ?? Promise.resolve()
    const loading = before
      .then(async () => {
        // A reading that began after the call serves it too.
        if (replace || !force || this.#readings === readings) await this.#load({ force, replace })
      })
      .catch((cause) => this.#options.onProblem('directory-unread', cause))
      .finally(() => {
        if (this.#loading === loading) this.#loading = null
      })
    this.#loading = loading
    return loading
  }

  async #load(request: Required<LoadOptions>): Promise<void> {
    await this.#opened
    // Another process may have read it meanwhile.
    if (!request.force) await this.#loadStored()
    if (request.force || this.#isDue()) return this.#read(request)
    // The index checks its own age, and whether its file was lost.
    await this.#mergeIndex(await this.#index.refresh())
  }

  /** Loads the stored listings, which another process may have changed. */
  async #loadStored(): Promise<void> {
    const { loadedAt } = this.#listings.facts
    await this.#listings.reload()
    const { facts } = this.#listings
    if (facts.loadedAt !== loadedAt) {
      this.#state = facts.verifiable ? 'ready' : 'unverifiable'
      this.#failure = null
    }
    await this.#mergeIndex(await this.#index.status())
    this.#onChange()
  }

  async #mergeIndex({ generated }: { readonly generated: string | null }): Promise<void> {
    if (generated === null || generated === this.#listings.indexGenerated) return
    await this.#listings.mergeIndex(this.#index)
    this.#onChange()
  }

  #isDue(): boolean {
    const { loadedAt } = this.#listings.facts
    if (this.#state === 'failed') return this.#now() - this.#triedAt >= RETRY_MS
    return loadedAt === null || loadedAt > this.#now() || this.#now() - loadedAt >= INDEX_FRESH_MS
  }

  async #read(request: LoadOptions): Promise<void> {
    const listings = this.#listings
    this.#readings++
    this.#triedAt = this.#now()
    this.#state = 'loading'
    this.#onChange()
    const [verdicts, cached] = await Promise.allSettled([
      readVerdicts(this.#connect, {
        signal: this.#signal,
        onRecord: (record, verdict) => listings.upsert(record, verdict),
        onPage: () => this.#onChange(),
      }),
      this.#index.refresh(request),
    ])
    if (this.#signal.aborted) return
    if (verdicts.status === 'fulfilled') listings.applyVerdicts(verdicts.value)
    if (cached.status === 'fulfilled') {
      this.#difference = cached.value.difference
      await this.#mergeIndex(cached.value)
    }
    if (verdicts.status === 'rejected') {
      this.#failure = failureOf(verdicts.reason)
      this.#state = 'failed'
    } else {
      const { verifiable, rejected } = verdicts.value
      this.#failure = null
      this.#rejected = rejected
      this.#state = verifiable ? 'ready' : 'unverifiable'
      await listings.save({ loadedAt: this.#now(), verifiable })
    }
    this.#onChange()
  }

  /**
   * Reads the directory again, unless a reading is running. Resolves when it has succeeded or failed.
   *
   * @param options.force false to read nothing for a minute after a request that has not succeeded, by any process
   *   @default true
   */
  async readAgain({ replace = false, force = true } = {}): Promise<void> {
    if (force || !(await this.#index.status()).triedLately) await this.load({ force: true, replace })
  }

  // Looking up single listings, in memory and then in the directory, whose records are kept

  /** Times when the directory sent the record of a listing alone, ms since 1970. */
  readonly #confirmed = new Map<string, number>()
  /** Next page that `describe` reads, by category or `''` for all; null after the last page. */
  readonly #pages = new Map<string, { readonly next: number | null; readonly at: number }>()
  #lastDescribe: Promise<unknown> = Promise.resolve()

  #onReceived(): void {
    this.#onChange()
    this.#listings.saveSoon()
  }

  /** Returns the record of this id, or the refusal of a call about it. */
  listed(id: string): Promise<Answer<KnownRecord>> {
    return this.find(id).then((found) => (found === null ? unlisted() : answer(found)), directoryError)
  }

  /** Returns the record of this id; null when the directory has none. @throws DirectoryError */
  async find(id: string): Promise<KnownRecord | null> {
    await this.#opened
    const known = () => this.#listings.get(listingKey(id))?.known ?? null
    return known() ?? ((await this.confirm(id)) ? known() : null)
  }

  /**
   * Requests the record from the directory even if it is known.
   *
   * @param maxAgeMs age of a received record that need not be requested again @default 0
   * @returns true if the directory lists the plugin now
   * @throws DirectoryError
   */
  async confirm(id: string, maxAgeMs = 0): Promise<boolean> {
    await this.#opened
    if (this.#now() - (this.#confirmed.get(listingKey(id)) ?? Number.NEGATIVE_INFINITY) < maxAgeMs) return true
    const record = await this.#connect().plugin(id, { signal: this.#signal })
    if (record === null) return false
    this.#listings.upsertPartial(record)
    this.#confirmed.set(listingKey(id), this.#now())
    this.#onReceived()
    return true
  }

  /** Searches the directory and returns the results in its order. @throws DirectoryError */
  async search(words: string): Promise<StoreListing[]> {
    await this.#opened
    const { records, received, total } = await this.#connect().plugins(
      { q: words, limit: PAGE },
      { signal: this.#signal },
    )
    for (const record of records) this.#listings.upsertPartial(record)
    this.#onReceived()
    // A static directory answers every query with every listing, which says nothing about the words.
    const isEverything = received > PAGE || (total ?? 0) >= this.#listings.count
    if (this.#listings.indexGenerated !== null && isEverything) return []
    return this.#rows(records.map(({ fullName }) => fullName))
  }

  #rows(ids: readonly string[]): StoreListing[] {
    return ids.flatMap((id) => this.#listings.row(listingKey(id)) ?? [])
  }

  /**
   * Fetches the records of these listings that are not known yet, one call after another: the first may fetch everything
   * that the second one needs.
   *
   * @returns their rows
   * @throws DirectoryError
   */
  describe(ids: readonly string[]): Promise<StoreListing[]> {
    const described = this.#lastDescribe.then(() => this.#describe(ids))
    // Its own caller gets the error; the next call only waits.
    this.#lastDescribe = described.catch(() => {})
    return described
  }

  /**
   * Fetches records page by page, because the directory takes no list of names. Continues after the last page that was
   * read, within the category of the listings if they share one. Each request returns some dozens of records, and none
   * is repeated while the copy is fresh.
   */
  async #describe(ids: readonly string[]): Promise<StoreListing[]> {
    await this.#opened
    const isMissing = () => this.#rows(ids).some(({ described }) => !described)
    const categories = new Set(this.#rows(ids).map(({ category }) => category))
    const [only = null] = categories
    const category = categories.size === 1 && isCategory(only) ? only : ''
    const known = this.#pages.get(category)
    let { next, at } = known && this.#now() - known.at < INDEX_FRESH_MS ? known : { next: 1, at: this.#now() }
    for (let count = 0; next !== null && count < MOST_DESCRIBE_PAGES && isMissing(); count++) {
      if (count > 0) await pause(PAUSE_MS, undefined, { signal: this.#signal })
      const query = { ...(category && { category }), limit: PAGE, page: next }
      const { records, received } = await this.#connect().plugins(query, { signal: this.#signal })
      for (const record of records) this.#listings.upsertPartial(record)
      next = received === 0 ? null : next + 1
      this.#pages.set(category, { next, at })
      this.#onReceived()
    }
    return this.#rows(ids)
  }

  /** Returns false if the index lacks a listing, null while there is no index. */
  isListed(id: string): boolean | null {
    if (this.#listings.get(listingKey(id))) return true
    return this.#listings.indexGenerated === null ? null : false
  }

  /** Returns the record of a listing, or its row of the index while that is all that is known; null for neither. */
  stored(id: string): ListedRecord | IndexListing | null {
    const listing = this.#listings.get(listingKey(id))
    return listing?.known?.record ?? listing?.indexed ?? null
  }

  /**
   * Returns the ids of the listings that are published under this package name.
   *
   * @param options.isOffline true to search only what is stored @default false
   * @throws DirectoryError
   */
  async published(name: string, { isOffline = false } = {}): Promise<string[]> {
    await this.#opened
    if (isOffline || this.#listings.indexGenerated !== null) return this.#listings.published(name)
    return (await this.search(name)).filter(({ npmPackage }) => npmPackage === name).map(({ id }) => id)
  }

  /** @throws DirectoryError when nothing is known of the listing and the directory cannot be reached */
  async details(id: string, profile: string): Promise<ListingDetails | null> {
    await this.#opened
    const key = listingKey(id)
    await this.find(id).catch((error: unknown) => {
      if (!this.#listings.get(key)) throw error
    })
    const listing = this.#listings.get(key)
    const { cli } = this.#options
    return (
      listing && toDetails(listing, { cli, profile, baseUrl: this.baseUrl, siblings: this.#listings.siblings(key) })
    )
  }
}
