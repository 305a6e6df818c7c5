import { INDEX_FRESH_MS } from '@plugmark/shared/contract'
import type { CatalogueStatus, ListingsPage } from '../../bridge/index.ts'
import { type Asking, createAsking } from './asking.ts'
import type { Connect } from './connect.ts'
import type { Opened } from './reading.ts'
import { openRecords } from './records/records.ts'
import type { Refreshing } from './refreshing.ts'
import { createTable } from './table.ts'

/** Rows in one answer to a page: they fill a screen, and to hold many at a time is what makes the process grow. */
const PAGE_ROWS = 100
/** After a failure, opening a page does not ask again before this; Retry does. */
const RETRY_MS = 30_000

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
  /** What brings the records up to date. */
  readonly refreshing: (given: {
    readonly opened: Promise<Opened>
    /** Ends it for good. */
    readonly signal: AbortSignal
    readonly onChange: () => void
  }) => Refreshing
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
  const { connect, baseUrl, cli, path, now, onProblem } = options
  const closed = new AbortController()
  const { signal } = closed
  let here: Opened | null = null
  let triedAt = Number.NEGATIVE_INFINITY
  let loading: Promise<void> | null = null
  /** Whether that has got as far as to ask the directory. */
  let isAsking = false
  /** What is asked for when the one before has told its answer, and is not over yet. */
  let next: Promise<void> | null = null

  const opened = open()
  async function open(): Promise<Opened> {
    const records = await openRecords({ path, directory: baseUrl, cli, onProblem })
    here = { records, table: createTable(records) }
    return here
  }
  const refreshing = options.refreshing({ opened, signal, onChange: report })
  const { joined, save } = refreshing
  const asking = createAsking({ connect, cli, now, signal, opened, joined, onChange: report, save })

  const status = (): CatalogueStatus => ({
    state: refreshing.state,
    revision: here?.table.revision ?? 0,
    end: here?.table.end ?? 0,
    count: here?.table.count ?? 0,
    described: here?.records.size ?? 0,
    rejected: refreshing.rejected,
    loadedAt: here?.records.facts.loadedAt ?? null,
    failure: refreshing.failure,
    download: refreshing.download,
    downloadedAt: here?.records.facts.downloadedAt ?? null,
  })
  function report() {
    if (refreshing.state === 'loading') isAsking = loading !== null
    if (!signal.aborted) options.onStatus(status())
  }

  async function readIfDue(force: boolean): Promise<void> {
    const { records } = await opened
    if (!force && !isDue(records.facts.loadedAt)) return
    triedAt = now()
    await refreshing.read({ force })
  }

  function load({ force = false } = {}): Promise<void> {
    if (force && loading !== null && isAsking && refreshing.state !== 'loading')
      next ??= loading.then(() => {
        next = null
        return load({ force })
      })
    loading ??= readIfDue(force).finally(() => {
      loading = null
      isAsking = false
    })
    return next ?? loading
  }

  function isDue(loadedAt: number | null): boolean {
    if (refreshing.state === 'failed') return now() - triedAt >= RETRY_MS
    return loadedAt === null || loadedAt > now() || now() - loadedAt >= INDEX_FRESH_MS
  }

  return {
    opened,
    status,
    async page(from) {
      const { table } = await opened
      const { rows, next } = table.page(from, PAGE_ROWS)
      return { status: status(), from, next, rows }
    },
    load,
    download: refreshing.startDownload,
    stopDownload: refreshing.stopDownload,
    search: asking.search,
    describe: asking.describe,
    published: asking.published,
    find: asking.find,
    details: asking.details,
    async close() {
      closed.abort()
      asking.close()
      const { records } = await opened
      await refreshing.close()
      await records.close()
    },
  }
}
