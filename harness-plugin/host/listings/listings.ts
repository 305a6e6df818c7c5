import type { Catalogue, CatalogueStatus as IndexStatus } from '@plugmark/shared/catalogue'
import { INDEX_FRESH_MS } from '@plugmark/shared/contract'
import type { CatalogueState, CatalogueStatus, ListingDetails, ListingsPage, StoreListing } from '../../bridge/index.ts'
import { type Connect, failureOf } from './connect.ts'
import { detailsOf } from './details.ts'
import { createDownload } from './download.ts'
import { readPassed } from './passed.ts'
import { openRecords, type Records } from './records/records.ts'
import type { KnownRecord } from './row.ts'
import { createTable, keyOf, type ListingTable } from './table.ts'

/** After a failure, opening a page does not ask again before this; Retry does. */
const RETRY_MS = 30_000
/** Rows in one answer to a page; the first fills a screen, and so comes soon. */
const PAGE_ROWS = 500
const FIRST_ROWS = 100
/** Hits that a search asks the directory for: one page. */
const SEARCH_ROWS = 96
/** Records that a search or a look brought are saved together. */
const SAVE_AFTER_MS = 30_000

export interface Listings {
  /** What was kept is here. */
  readonly opened: Promise<unknown>
  status(): CatalogueStatus
  page(from: number): Promise<ListingsPage>
  /** Starts reading the directory, unless that is going on or what is here is recent. Never rejects. */
  load(options?: { force?: boolean }): Promise<void>
  /** Downloads every record, or goes on with it. Never rejects. */
  download(): Promise<void>
  stopDownload(): Promise<void>
  /** @throws DirectoryError */
  search(words: string): Promise<StoreListing[]>
  /**
   * The record of this id: one that is here, else the directory is asked for it.
   * @throws DirectoryError
   */
  find(id: string): Promise<KnownRecord | null>
  /**
   * Ids of the listings that are published under this name: by the index, else the directory is asked.
   * @throws DirectoryError
   */
  published(name: string): Promise<string[]>
  /** @throws DirectoryError when nothing at all is known of it, and the directory could not be asked */
  details(id: string, profile: string): Promise<ListingDetails | null>
  close(): Promise<void>
}

export interface ListingsOptions {
  readonly connect: Connect
  readonly catalogue: Catalogue
  /** Address of the directory. */
  readonly baseUrl: string
  /** Program that install commands name. */
  readonly cli: string
  /** File that records are kept in; null for memory alone. */
  readonly path: string | null
  readonly now: () => number
  readonly onStatus: (status: CatalogueStatus) => void
  /** Told what went wrong in the background, for a log. */
  readonly onProblem: (message: string, cause: unknown) => void
}

interface Opened {
  readonly records: Records
  readonly table: ListingTable
}

/** Every listing of the directory, from the copy that is kept, and brought up to date. */
export function createListings(options: ListingsOptions): Listings {
  const { connect, catalogue, baseUrl, cli, path, now, onProblem } = options
  const closed = new AbortController()
  const { signal } = closed
  let here: Opened | null = null
  let generated: string | null = null
  let state: CatalogueState = 'idle'
  let failure: CatalogueStatus['failure'] = null
  let rejected = 0
  let triedAt = Number.NEGATIVE_INFINITY
  let loading: Promise<void> | null = null
  let saving: NodeJS.Timeout | null = null

  const opened = open()
  async function open(): Promise<Opened> {
    const records = await openRecords({ path, directory: baseUrl, onProblem })
    here = { records, table: createTable(records, { cli }) }
    if (records.facts.loadedAt !== null) state = records.facts.verifiable ? 'ready' : 'unverifiable'
    report()
    return here
  }
  /** Listings without a record are there a little later: whoever opens the store sees what passed. */
  const joined = opened
    .then(async ({ table }) => joinIndex(table, await catalogue.status()))
    .catch((cause) => onProblem('The kept index cannot be used.', cause))

  const download = createDownload({
    connect,
    now,
    signal,
    opened,
    onRecords: (records) => {
      for (const record of records) here?.table.glimpse(record)
    },
    onProgress: () => report(),
    onEnd(error, ofDownload) {
      if (error) failure = failureOf(error)
      else rejected = ofDownload
      report()
    },
  })

  const status = (): CatalogueStatus => ({
    state,
    revision: here?.table.feed.revision ?? 0,
    end: here?.table.feed.end ?? 0,
    count: here?.table.feed.count ?? 0,
    described: here?.records.size ?? 0,
    rejected,
    loadedAt: here?.records.facts.loadedAt ?? null,
    failure,
    download: download.progress(),
    downloadedAt: here?.records.facts.downloadedAt ?? null,
  })
  function report() {
    if (!signal.aborted) options.onStatus(status())
  }

  /** @param status of the index; to ask for it is to read all of its file */
  async function joinIndex(table: ListingTable, { generated: newest }: IndexStatus) {
    if (newest === null || newest === generated) return
    await table.join(await catalogue.all())
    generated = newest
    report()
  }

  async function read({ records, table }: Opened, force: boolean): Promise<void> {
    triedAt = now()
    state = 'loading'
    report()
    const reading = readPassed(connect, { signal, onRecord: table.know, onPage: report })
    const [passing, index] = await Promise.allSettled([reading, catalogue.refresh({ force })])
    if (signal.aborted) return
    await joined
    if (index.status === 'fulfilled') await joinIndex(table, index.value)
    if (passing.status === 'rejected') {
      failure = failureOf(passing.reason)
      state = 'failed'
    } else {
      const { passed, verifiable } = passing.value
      table.confirmPassed(passed)
      failure = null
      rejected = passing.value.rejected
      state = verifiable ? 'ready' : 'unverifiable'
      await records.save({ loadedAt: now(), verifiable })
    }
    report()
  }

  function isDue({ records }: Opened): boolean {
    if (state === 'failed') return now() - triedAt >= RETRY_MS
    const { loadedAt } = records.facts
    return loadedAt === null || loadedAt > now() || now() - loadedAt >= INDEX_FRESH_MS
  }

  function saveSoon({ records }: Opened) {
    saving ??= setTimeout(() => {
      saving = null
      void records.save()
    }, SAVE_AFTER_MS).unref()
  }

  async function find(id: string): Promise<KnownRecord | null> {
    const { records, table } = await opened
    const known = records.get(keyOf(id))
    if (known) return known
    const record = await connect({}).plugin(id, { signal })
    if (record === null) return null
    table.glimpse(record)
    report()
    saveSoon({ records, table })
    return records.get(keyOf(id))
  }

  async function search(words: string): Promise<StoreListing[]> {
    const is = await opened
    const { records: found } = await connect({}).plugins({ q: words, limit: SEARCH_ROWS }, { signal })
    for (const record of found) is.table.glimpse(record)
    report()
    saveSoon(is)
    return is.table.rows(found.map(({ fullName }) => keyOf(fullName)))
  }

  return {
    opened,
    status,
    async page(from) {
      const { table } = await opened
      const { keys, next } = table.feed.from(from, from === 0 ? FIRST_ROWS : PAGE_ROWS)
      return { status: status(), from, next, rows: table.rows(keys) }
    },
    load({ force = false } = {}) {
      loading ??= opened
        .then(async (is) => {
          if (force || isDue(is)) await read(is, force)
        })
        .catch((cause) => onProblem('The directory could not be read.', cause))
        .finally(() => {
          loading = null
        })
      return loading
    },
    download: download.start,
    stopDownload: download.stop,
    search,
    async published(name) {
      const { table } = await joined.then(() => opened)
      if (generated !== null) return table.published(name)
      return (await search(name)).filter(({ npmPackage }) => npmPackage === name).map(({ id }) => id)
    },
    find,
    async details(id, profile) {
      const { table } = await opened
      const key = keyOf(id)
      const found = await find(id).catch((error: unknown) => {
        if (table.isIndexed(key)) return null
        throw error
      })
      const row = table.row(key)
      return row && detailsOf(row, found?.record ?? null, { cli, profile, siblings: table.siblings(key) })
    },
    async close() {
      closed.abort()
      if (saving) clearTimeout(saving)
      const { records } = await opened
      await Promise.all([download.stop(), loading, joined])
      await records.close()
    },
  }
}
