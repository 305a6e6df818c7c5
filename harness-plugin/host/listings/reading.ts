import type { Catalogue, CatalogueStatus as IndexStatus } from '@plugmark/shared/catalogue'
import { INDEX_FRESH_MS } from '@plugmark/shared/contract'
import type { CatalogueState, CatalogueStatus } from '../../bridge/index.ts'
import { type Connect, failureOf } from './connect.ts'
import { readPassed } from './passed.ts'
import type { Records } from './records/records.ts'
import type { ListingTable } from './table.ts'

/** After a failure, opening a page does not ask again before this; Retry does. */
const RETRY_MS = 30_000

export interface Opened {
  readonly records: Records
  readonly table: ListingTable
}

export interface ReadingOptions {
  readonly connect: Connect
  readonly catalogue: Catalogue
  readonly now: () => number
  /** Ends it for good. */
  readonly signal: AbortSignal
  readonly opened: Promise<Opened>
  readonly onChange: () => void
  /** Told what went wrong in the background, for a log. */
  readonly onProblem: (message: string, cause: unknown) => void
}

/** How the directory is read: which listings passed, and its index. */
export interface Reading {
  readonly state: CatalogueState
  readonly failure: CatalogueStatus['failure']
  /** Rows of the last answer that did not parse. */
  readonly rejected: number
  /** The index that was kept is taken over. */
  readonly joined: Promise<unknown>
  /** Reads it, unless that is going on or what is here is recent. Never rejects. */
  load(options: { force: boolean }): Promise<void>
  /** Nothing of it goes on. Never rejects. */
  settled(): Promise<unknown>
  /** Another way to read it came to its end. @param error null for a good one */
  ended(error: unknown, rejected: number): void
}

export function createReading({ connect, catalogue, now, signal, opened, ...on }: ReadingOptions): Reading {
  let state: CatalogueState = 'idle'
  let failure: CatalogueStatus['failure'] = null
  let rejected = 0
  let triedAt = Number.NEGATIVE_INFINITY
  let loading: Promise<void> | null = null

  /** Listings without a record are there a little later: whoever opens the store sees what passed. */
  const joined = opened
    .then(async (is) => {
      const { loadedAt, verifiable } = is.records.facts
      if (loadedAt !== null) state = verifiable ? 'ready' : 'unverifiable'
      on.onChange()
      await join(is, await catalogue.status())
    })
    .catch((cause) => on.onProblem('The kept index cannot be used.', cause))

  async function join({ records, table }: Opened, { generated }: IndexStatus, again = false) {
    if (generated === null || (generated === records.facts.generated && !again)) return
    await records.save({ generated: await table.join(catalogue) })
    on.onChange()
  }

  async function read(is: Opened, force: boolean): Promise<void> {
    const { records, table } = is
    triedAt = now()
    state = 'loading'
    on.onChange()
    const reading = readPassed(connect, { signal, onRecord: table.know, onPage: on.onChange })
    const [passing, index] = await Promise.allSettled([reading, catalogue.refresh({ force })])
    if (signal.aborted) return
    await joined
    const isFewer = passing.status === 'fulfilled' && table.confirmPassed(passing.value.passed)
    if (index.status === 'fulfilled') await join(is, index.value, isFewer)
    if (passing.status === 'rejected') {
      failure = failureOf(passing.reason)
      state = 'failed'
    } else {
      const { verifiable } = passing.value
      failure = null
      rejected = passing.value.rejected
      state = verifiable ? 'ready' : 'unverifiable'
      await records.save({ loadedAt: now(), verifiable })
    }
    on.onChange()
  }

  function isDue({ records }: Opened): boolean {
    if (state === 'failed') return now() - triedAt >= RETRY_MS
    const { loadedAt } = records.facts
    return loadedAt === null || loadedAt > now() || now() - loadedAt >= INDEX_FRESH_MS
  }

  return {
    get state() {
      return state
    },
    get failure() {
      return failure
    },
    get rejected() {
      return rejected
    },
    joined,
    load({ force }) {
      loading ??= opened
        .then(async (is) => {
          if (force || isDue(is)) await read(is, force)
        })
        .catch((cause) => on.onProblem('The directory could not be read.', cause))
        .finally(() => {
          loading = null
        })
      return loading
    },
    settled: () => Promise.all([loading, joined]),
    ended(error, count) {
      if (error) failure = failureOf(error)
      else rejected = count
      on.onChange()
    },
  }
}
