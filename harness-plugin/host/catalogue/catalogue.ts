import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { CatalogueStatus, ListingsPage, StoreListing } from '../../protocol/index.ts'
import type { OnProblem } from '../../protocol/problems.ts'
import { connectTo, openIndexCache } from './directory.ts'
import { createDownload } from './download.ts'
import { createListingStore } from './listing-store.ts'
import { createListingLookup, type ListingLookup } from './lookup.ts'
import { createRefresh, type LoadOptions } from './refresh.ts'

/** Rows in one page: they fill a screen. */
const PAGE_ROWS = 100

export interface AllListings {
  readonly status: CatalogueStatus
  /** Every listing, parsed on first use. */
  readonly rows: readonly StoreListing[]
  /**
   * Returns the listings whose JSON text passes a test, and all parts of a repository of which one passes: parts are sorted
   * among each other.
   */
  rowsWhere(test: (json: string) => boolean): readonly StoreListing[]
}

/** Every listing of a directory, read from the stored copy and then refreshed. */
export interface Catalogue extends ListingLookup {
  /** Address of the directory. */
  readonly baseUrl: string
  status(): CatalogueStatus
  page(from: number): Promise<ListingsPage>
  /** Returns every listing, for the same process. */
  all(): Promise<AllListings>
  /** Reads the directory, unless a reading is running or the data is recent. Never rejects. */
  load(options?: LoadOptions): Promise<void>
  /** Returns true for a minute after a request for the index that has not succeeded, by any process. */
  triedLately(): Promise<boolean>
  /** Downloads every record, or resumes a stopped download. Never rejects. */
  download(): Promise<void>
  stopDownload(): Promise<void>
  close(): Promise<void>
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
 * Opens the catalogue of a directory. Each pair of a directory and a program that install commands name has a folder of
 * its own, so that their copies never mix.
 *
 * @throws DirectoryError when the address cannot be that of a directory
 */
export function openCatalogue(options: CatalogueOptions): Catalogue {
  const { stateDir, cli, now, onProblem, fetch } = options
  const connect = connectTo({ baseUrl: options.baseUrl, ...(fetch ? { fetch } : {}) })
  const { baseUrl } = connect()
  const folder = stateDir && join(stateDir, createHash('sha256').update(`${baseUrl} ${cli}`).digest('hex').slice(0, 16))

  const closed = new AbortController()
  const { signal } = closed
  const store = createListingStore({ path: folder && join(folder, 'listings.json'), cli, now, onProblem })
  const index = openIndexCache({ connect, folder, now, signal, onProblem })
  const { table } = store
  const refresh = createRefresh({ connect, index, store, now, signal, onChange, onProblem })
  const { opened, load } = refresh
  const download = createDownload({
    connect,
    store,
    now,
    signal,
    opened,
    onProgress: onChange,
    onEnd: refresh.onDownloadEnd,
  })
  const lookup = createListingLookup({ connect, baseUrl, cli, store, now, signal, opened, onChange })

  const status = (): CatalogueStatus => ({
    state: refresh.state,
    revision: table.revision,
    end: table.end,
    count: table.count,
    described: table.described,
    rejected: refresh.rejected,
    generated: table.indexGenerated,
    loadedAt: store.facts.loadedAt,
    failure: refresh.failure,
    difference: refresh.difference,
    download: download.progress,
    downloadedAt: store.facts.downloadedAt,
  })
  function onChange() {
    if (!signal.aborted) options.onStatus(status())
  }

  return {
    ...lookup,
    baseUrl,
    status,
    async page(from) {
      await opened
      return { status: status(), from, ...table.page(from, PAGE_ROWS) }
    },
    async all() {
      await opened
      let rows: readonly StoreListing[] | null = null
      return {
        status: status(),
        get rows() {
          rows ??= table.allRows()
          return rows
        },
        rowsWhere: table.rowsWhere,
      }
    },
    load,
    triedLately: refresh.triedLately,
    download: download.start,
    stopDownload: download.stop,
    async close() {
      closed.abort()
      await Promise.all([refresh.close(), download.stop()])
      await store.close()
    },
  }
}
