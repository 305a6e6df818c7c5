import { setTimeout as pause } from 'node:timers/promises'
import { INDEX_FRESH_MS, isCategory, LIMITS } from '@plugmark/shared/contract'
import type { ListingDetails, StoreListing } from '../../protocol/index.ts'
import type { Connect } from './directory.ts'
import { type KnownRecord, keyOf, toDetails } from './directory-record.ts'
import type { ListingStore } from './listing-store.ts'

/** The largest page size that every server answers correctly. */
const PAGE = LIMITS.safePageSizes[2]
/** Most pages that one call of `describe` reads. A screen that still shows rows without a record calls it again. */
const MOST_PAGES = 4
/** Pause between two requests, in ms, so that other clients of the directory need not wait. */
const PAUSE_MS = 100

/** Looks up single listings in memory, then in the directory, and keeps the records that it sends. */
export interface ListingLookup {
  /** Searches the directory and returns the results in its order. @throws DirectoryError */
  search(words: string): Promise<StoreListing[]>
  /**
   * Fetches the records of these listings that are not known yet.
   *
   * @returns their rows
   * @throws DirectoryError
   */
  describe(ids: readonly string[]): Promise<StoreListing[]>
  /** Returns the record of this id; null when the directory has none. @throws DirectoryError */
  find(id: string): Promise<KnownRecord | null>
  /**
   * Requests the record from the directory even if it is known.
   *
   * @param maxAgeMs age of a received record that need not be requested again @default 0
   * @returns true if the directory lists the plugin now
   * @throws DirectoryError
   */
  confirm(id: string, maxAgeMs?: number): Promise<boolean>
  /** Returns false if the index lacks a listing, null while there is no index. */
  isListed(id: string): boolean | null
  /** Returns the ids of the listings that are published under this package name. @throws DirectoryError */
  published(name: string): Promise<string[]>
  /** @throws DirectoryError when nothing is known of the listing and the directory cannot be reached */
  details(id: string, profile: string): Promise<ListingDetails | null>
}

export function createListingLookup(options: {
  readonly connect: Connect
  readonly baseUrl: string
  readonly cli: string
  readonly store: ListingStore
  readonly now: () => number
  readonly signal: AbortSignal
  readonly opened: Promise<void>
  readonly onChange: () => void
}): ListingLookup {
  const { connect, baseUrl, cli, store, now, signal, opened } = options
  const { table } = store
  /** Next page that `describe` reads, by category or `''` for all; null after the last page. */
  const pages = new Map<string, { readonly next: number | null; readonly at: number }>()
  /** Times when the directory sent the record of a listing alone, ms since 1970. */
  const confirmed = new Map<string, number>()
  let lastDescribe: Promise<unknown> = Promise.resolve()

  function onReceived() {
    options.onChange()
    store.saveSoon()
  }

  async function find(id: string): Promise<KnownRecord | null> {
    await opened
    const known = table.record(keyOf(id))
    if (known) return known
    return (await confirm(id)) ? table.record(keyOf(id)) : null
  }

  async function confirm(id: string, maxAgeMs = 0): Promise<boolean> {
    await opened
    if (now() - (confirmed.get(keyOf(id)) ?? Number.NEGATIVE_INFINITY) < maxAgeMs) return true
    const record = await connect().plugin(id, { signal })
    if (record === null) return false
    table.upsertPartial(record)
    confirmed.set(keyOf(id), now())
    onReceived()
    return true
  }

  async function search(words: string): Promise<StoreListing[]> {
    await opened
    const { records, received, total } = await connect().plugins({ q: words, limit: PAGE }, { signal })
    for (const record of records) table.upsertPartial(record)
    onReceived()
    // A static directory answers every query with every listing, which says nothing about the words.
    const isEverything = received > PAGE || (total ?? 0) >= table.count
    if (table.indexGenerated !== null && isEverything) return []
    return table.rows(records.map(({ fullName }) => keyOf(fullName)))
  }

  /**
   * Fetches records page by page, because the directory takes no list of names. Continues after the last page that was
   * read, within the category of the listings if they share one. Each request returns some dozens of records, and none
   * is repeated while the copy is fresh.
   */
  async function describe(ids: readonly string[]): Promise<StoreListing[]> {
    await opened
    const keys = ids.map(keyOf).filter((key) => table.row(key) !== null)
    const isMissing = () => keys.some((key) => table.row(key)?.described === false)
    const categories = new Set(keys.map((key) => table.row(key)?.category ?? ''))
    const [only = ''] = categories
    const category = categories.size === 1 && isCategory(only) ? only : ''
    const known = pages.get(category)
    let { next, at } = known && now() - known.at < INDEX_FRESH_MS ? known : { next: 1, at: now() }
    for (let count = 0; next !== null && count < MOST_PAGES && isMissing(); count++) {
      if (count > 0) await pause(PAUSE_MS, undefined, { signal })
      const query = { ...(category && { category }), limit: PAGE, page: next }
      const { records, received } = await connect().plugins(query, { signal })
      for (const record of records) table.upsertPartial(record)
      next = received === 0 ? null : next + 1
      pages.set(category, { next, at })
      onReceived()
    }
    return table.rows(keys)
  }

  return {
    find,
    confirm,
    search,
    describe(ids) {
      // One after another: the first call may fetch everything that the second one needs.
      const described = lastDescribe.then(() => describe(ids))
      lastDescribe = described.catch(() => {})
      return described
    },
    isListed: (id) => (table.row(keyOf(id)) !== null ? true : table.indexGenerated === null ? null : false),
    async published(name) {
      await opened
      if (table.indexGenerated !== null) return table.published(name)
      return (await search(name)).filter(({ npmPackage }) => npmPackage === name).map(({ id }) => id)
    },
    async details(id, profile) {
      await opened
      const key = keyOf(id)
      const known = await find(id).catch((error: unknown) => {
        if (table.row(key)) return null
        throw error
      })
      const row = table.row(key)
      const from = { record: known?.record ?? null, indexed: table.indexed(key) }
      return row && toDetails(row, from, { cli, profile, baseUrl, siblings: table.siblings(key) })
    },
  }
}
