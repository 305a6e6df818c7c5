import type { Catalogue } from '@plugmark/shared/catalogue'
import type { CatalogueStatus, ListingsPage } from '../../bridge/index.ts'
import { type Asking, createAsking } from './asking.ts'
import type { Connect } from './connect.ts'
import { createDownload } from './download.ts'
import { createReading, type Opened } from './reading.ts'
import { openRecords } from './records/records.ts'
import { createTable } from './table.ts'

/** Rows in one answer to a page: they fill a screen, and to hold many at a time is what makes the process grow. */
const PAGE_ROWS = 100

export interface Listings extends Omit<Asking, 'close'> {
  /** What was kept is here. */
  readonly opened: Promise<unknown>
  status(): CatalogueStatus
  page(from: number): Promise<ListingsPage>
  /** Starts reading the directory, unless that is going on or what is here is recent. Never rejects. */
  load(options?: { force?: boolean }): Promise<void>
  /** Downloads every record, or goes on with it. Never rejects. */
  download(): Promise<void>
  stopDownload(): Promise<void>
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

/** Every listing of the directory, from the copy that is kept, and brought up to date. */
export function createListings(options: ListingsOptions): Listings {
  const { connect, catalogue, baseUrl, cli, path, now, onProblem } = options
  const closed = new AbortController()
  const { signal } = closed
  let here: Opened | null = null

  const opened = open()
  async function open(): Promise<Opened> {
    const records = await openRecords({ path, directory: baseUrl, cli, onProblem })
    here = { records, table: createTable(records) }
    return here
  }
  const reading = createReading({ connect, catalogue, now, signal, opened, onChange: report, onProblem })
  const asking = createAsking({ connect, cli, signal, opened, joined: reading.joined, onChange: report })
  const download = createDownload({
    connect,
    now,
    signal,
    opened,
    onRecords: (records) => {
      for (const record of records) here?.table.glimpse(record)
    },
    onProgress: report,
    onEnd: reading.ended,
  })

  const status = (): CatalogueStatus => ({
    state: reading.state,
    revision: here?.table.revision ?? 0,
    end: here?.table.end ?? 0,
    count: here?.table.count ?? 0,
    described: here?.records.size ?? 0,
    rejected: reading.rejected,
    loadedAt: here?.records.facts.loadedAt ?? null,
    failure: reading.failure,
    download: download.progress(),
    downloadedAt: here?.records.facts.downloadedAt ?? null,
  })
  function report() {
    if (!signal.aborted) options.onStatus(status())
  }

  return {
    opened,
    status,
    async page(from) {
      const { table } = await opened
      const { rows, next } = table.page(from, PAGE_ROWS)
      return { status: status(), from, next, rows }
    },
    load: ({ force = false } = {}) => reading.load({ force }),
    download: download.start,
    stopDownload: download.stop,
    search: asking.search,
    published: asking.published,
    find: asking.find,
    details: asking.details,
    async close() {
      closed.abort()
      asking.close()
      const { records } = await opened
      await Promise.all([download.stop(), reading.settled()])
      await records.close()
    },
  }
}
