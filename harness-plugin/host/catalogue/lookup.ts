import { setTimeout as pause } from 'node:timers/promises'
import { INDEX_FRESH_MS, isCategory, LIMITS } from '@plugmark/shared/contract'
import type { ListingDetails, StoreListing } from '../../protocol/index.ts'
import type { Connect } from './directory.ts'
import { type KnownRecord, keyOf, toDetails } from './listing.ts'
import type { ListingStore } from './listing-store.ts'

/** The largest page that is right on every server. */
const PAGE = LIMITS.safePageSizes[2]
/** Most pages that one call of `describe` reads; who still looks at rows without a record asks again. */
const MOST_PAGES = 4
/** Between two requests, so that nobody else waits for the directory because of us. */
const PAUSE_MS = 100

/** Looks single listings up: here, else in the directory, and keeps what that sends. */
export interface ListingLookup {
  /** @returns what the directory finds, in its order. @throws DirectoryError */
  search(words: string): Promise<StoreListing[]>
  /**
   * Fetches the records of these listings, as far as they are not here.
   *
   * @returns their rows
   * @throws DirectoryError
   */
  describe(ids: readonly string[]): Promise<StoreListing[]>
  /** @returns the record of this id, or null when the directory has none. @throws DirectoryError */
  find(id: string): Promise<KnownRecord | null>
  /**
   * Asks the directory itself, also for a record that is here.
   *
   * @returns whether it lists the plugin now
   * @throws DirectoryError
   */
  confirm(id: string): Promise<boolean>
  /** Returns false if the index lacks a listing, null while there is no index. */
  isListed(id: string): boolean | null
  /** @returns ids of the listings that are published under this package name. @throws DirectoryError */
  published(name: string): Promise<string[]>
  /** @throws DirectoryError when nothing at all is known of it, and the directory could not be asked */
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
  /** By category, or `''` for all: the next page that `describe` reads, null behind the last. */
  const pages = new Map<string, { readonly next: number | null; readonly at: number }>()
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

  async function confirm(id: string): Promise<boolean> {
    await opened
    const record = await connect().plugin(id, { signal })
    if (record === null) return false
    table.upsertPartial(record)
    onReceived()
    return true
  }

  async function search(words: string): Promise<StoreListing[]> {
    await opened
    const { records } = await connect().plugins({ q: words, limit: PAGE }, { signal })
    for (const record of records) table.upsertPartial(record)
    onReceived()
    return table.rows(records.map(({ fullName }) => keyOf(fullName)))
  }

  /**
   * The directory takes no list of names, so its pages are read on from where the last call stopped, of the listings'
   * category alone where they have one in common: a request brings some dozens, and none is made twice within the time
   * that a copy is fresh.
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
      // One after another: what the first brings may be all that the second asks for.
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
