import type { Catalogue, CatalogueStatus as IndexStatus } from '@plugmark/shared/catalogue'
import type { CatalogueState, CatalogueStatus } from '../../bridge/index.ts'
import { type Connect, failureOf } from './connect.ts'
import { readPassed } from './passed.ts'
import type { Facts } from './records/facts.ts'
import type { Records } from './records/records.ts'
import type { ListingTable } from './table.ts'

export interface Opened {
  readonly records: Records
  readonly table: ListingTable
}

/** How far the reading of a directory is, and how the last one went. */
export interface ReadingState {
  readonly state: CatalogueState
  readonly failure: CatalogueStatus['failure']
  /** Rows of the last answer that did not parse. */
  readonly rejected: number
}

export const UNREAD: ReadingState = { state: 'idle', failure: null, rejected: 0 }

/** How it stands with what was kept. */
export const stateOf = ({ loadedAt, verifiable }: Facts): CatalogueState =>
  loadedAt === null ? 'idle' : verifiable ? 'ready' : 'unverifiable'

export interface ReadingOptions {
  readonly connect: Connect
  readonly catalogue: Catalogue
  readonly now: () => number
  /** Ends it for good. */
  readonly signal: AbortSignal
  readonly opened: Promise<Opened>
  /** How it stood before. */
  readonly before: ReadingState
  readonly onChange: () => void
  /** Told what went wrong in the background, for a log. */
  readonly onProblem: (message: string, cause: unknown) => void
}

/** How the directory is read: which listings passed, and its index. */
export interface Reading extends ReadingState {
  /** The index that was kept is taken over. */
  readonly joined: Promise<unknown>
  /** @param force asks for the index even when the one that is here is recent. Rejects for a fault of ours. */
  read(options: { force: boolean }): Promise<void>
  /** Another way to read it came to its end. @param error null for a good one */
  ended(error: unknown, rejected: number): void
}

export function createReading({ connect, catalogue, now, signal, opened, before, ...on }: ReadingOptions): Reading {
  let { state, failure, rejected } = before

  /** Listings without a record are there a little later: whoever opens the store sees what passed. */
  const joined = opened
    .then(async (is) => {
      if (state === 'idle') state = stateOf(is.records.facts)
      on.onChange()
      await join(is, await catalogue.status())
    })
    .catch((cause) => on.onProblem('The kept index cannot be used.', cause))

  async function join({ records, table }: Opened, { generated }: IndexStatus, again = false) {
    if (generated === null || (generated === records.facts.generated && !again)) return
    await records.save({ generated: await table.join(catalogue) })
    on.onChange()
  }

  async function read({ force }: { force: boolean }): Promise<void> {
    const is = await opened
    const { records, table } = is
    state = 'loading'
    on.onChange()
    const reading = readPassed(connect, { signal, onRecord: table.know, onPage: on.onChange })
    const [passing, index] = await Promise.allSettled([reading, catalogue.refresh({ force })])
    if (signal.aborted) return
    await joined
    const isFewer = passing.status === 'fulfilled' && table.confirm(passing.value)
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
    read,
    ended(error, count) {
      if (error) failure = failureOf(error)
      else {
        rejected = count
        // What the reading before failed at is told until another one does not.
        if (state !== 'failed') failure = null
      }
      on.onChange()
    },
  }
}
