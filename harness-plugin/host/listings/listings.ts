import { type DirectoryClient, DirectoryError } from '@plugmark/shared/client'
import { verdictOf } from '@plugmark/shared/contract'
import type { CatalogueState, CatalogueStatus, ListingsPage, StoreListing } from '../../bridge/index.ts'
import { type KnownRecord, toListing } from './row.ts'

/** Rows older than this are read again when a page opens. The directory's own answers say they hold for 5 minutes. */
const FRESH_MS = 3_600_000
/** After a failure, opening a page does not ask again before this; Retry does. */
const RETRY_MS = 30_000
/** Rows in one answer to a page. */
const PAGE_ROWS = 500
/** A status goes out at every so many rows while they arrive. */
const REPORT_ROWS = 96

export interface Listings {
  status(): CatalogueStatus
  page(from: number): ListingsPage
  /** Starts reading the directory, unless that is going on or what is here is recent. Never rejects. */
  load(options?: { force?: boolean }): Promise<void>
  /**
   * The listing of this id: one that was fetched before, else the directory is asked for it.
   * @throws DirectoryError
   */
  find(id: string): Promise<KnownRecord | null>
  stop(): void
}

export interface ListingsOptions {
  readonly directory: DirectoryClient
  readonly onStatus: (status: CatalogueStatus) => void
  readonly now: () => number
  /** All rows so far that did not parse, counted by whoever made the client. */
  readonly rejected: () => number
}

/** The listings that passed their install check, read from the directory and kept in memory. */
export function createListings({ directory, onStatus, now, rejected }: ListingsOptions): Listings {
  let known = new Map<string, KnownRecord>()
  const asked = new Map<string, KnownRecord>()
  let rows: StoreListing[] = []
  let state: CatalogueState = 'idle'
  let revision = 0
  let loadedAt: number | null = null
  let triedAt = Number.NEGATIVE_INFINITY
  let failure: CatalogueStatus['failure'] = null
  let rejectedBefore = 0
  let loading: Promise<void> | null = null
  const stopped = new AbortController()

  const status = (): CatalogueStatus => ({
    state,
    revision,
    count: rows.length,
    rejected: rejected() - rejectedBefore,
    loadedAt,
    failure,
  })
  function enter(next: CatalogueState) {
    state = next
    onStatus(status())
  }

  async function read(): Promise<void> {
    // Rows that are on a screen stay until all of the new ones are here; the first rows of all are shown as they come.
    const progressive = rows.length === 0
    const freshRows: StoreListing[] = []
    const fresh = new Map<string, KnownRecord>()
    if (progressive) {
      rows = freshRows
      known = fresh
    }
    rejectedBefore = rejected()
    enter('loading')
    try {
      for await (const { record } of directory.verifiedPlugins({}, { signal: stopped.signal })) {
        const entry: KnownRecord = { record, verdict: 'passed' }
        fresh.set(record.fullName.toLowerCase(), entry)
        freshRows.push(toListing(entry))
        if (progressive && freshRows.length % REPORT_ROWS === 0) onStatus(status())
      }
      const verifiable = freshRows.length > 0 || (await saysWhatPassed())
      if (!progressive) revision++
      rows = freshRows
      known = fresh
      loadedAt = now()
      failure = null
      enter(verifiable ? 'ready' : 'unverifiable')
    } catch (error) {
      if (stopped.signal.aborted) return
      failure = describe(error)
      enter('failed')
    }
  }

  /** Where nothing is verified: whether the directory has verdicts at all. An empty directory hides none. */
  async function saysWhatPassed(): Promise<boolean> {
    const { records } = await directory.plugins({ limit: 96 }, { signal: stopped.signal })
    return records.length === 0 || records.some((record) => verdictOf(record) !== null)
  }

  function isDue(): boolean {
    if (state === 'failed') return now() - triedAt >= RETRY_MS
    return loadedAt === null || now() - loadedAt >= FRESH_MS
  }

  return {
    status,
    page: (from) => ({ status: status(), from, rows: rows.slice(from, from + PAGE_ROWS) }),
    load({ force = false } = {}) {
      if (loading === null && (force || isDue())) {
        triedAt = now()
        loading = read().finally(() => {
          loading = null
        })
      }
      return loading ?? Promise.resolve()
    },
    async find(id) {
      const key = id.toLowerCase()
      const here = known.get(key) ?? asked.get(key)
      if (here) return here
      const record = await directory.plugin(id, { signal: stopped.signal })
      if (record === null) return null
      const entry = { record, verdict: verdictOf(record) }
      asked.set(key, entry)
      return entry
    },
    stop: () => stopped.abort(),
  }
}

function describe(error: unknown): { kind: string; message: string } {
  if (error instanceof DirectoryError) return { kind: error.kind, message: error.message }
  return { kind: 'invalid', message: 'The answer of the directory could not be read.' }
}
