import { systemTimer, withTimeLimit } from '@plugmark/shared/async'
import {
  type IndexListing,
  isDoubtful,
  listingKey,
  type PluginRecord,
  PluginRecordSchema,
  type Verdict,
  verdictOf,
} from '@plugmark/shared/contract'
import { createStore, promisifyRequest, type UseStore } from 'idb-keyval'
import * as v from 'valibot'
import { report } from '../base/report.ts'

/** A record younger than this is not fetched again. ms */
const FRESH_MS = 24 * 3_600_000

/** Pause before a directory that failed is asked again, on any page. ms */
const FAILURE_PAUSE_MS = 60_000

/** Key of the time of the failure; no listing has this name. */
const FAILED_KEY = ' '

/** Most records that are stored; the oldest are deleted. */
const MAX_RECORDS = 300

/** A database that has not answered within this time counts as absent. ms */
const DATABASE_LIMIT_MS = 2_000

const EntrySchema = v.object({
  /** Time of the fetch, ms since 1970. */
  at: v.number(),
  /** Null when the directory has none. */
  record: v.nullable(PluginRecordSchema),
})
type Entry = v.InferOutput<typeof EntrySchema>

/** Records of single listings, fetched when a card opens or a command is copied, and stored for a day. */
export interface Records {
  /**
   * Returns the record of a listing; null when the directory has none under that name.
   *
   * @param options.force true for a request by the user: ignores a recent failure of the directory
   * @throws when it is not stored and cannot be fetched; returns an old one rather than none
   */
  get(fullName: string, options?: { readonly force?: boolean }): Promise<PluginRecord | null>
  /** Returns the verdict on a listing's own command; null when no record with it was read in this tab. */
  verdictOf(listing: IndexListing): Verdict | null
  /**
   * Returns true if the directory is known to doubt a listing's own command: the install check failed, or the listing
   * or its command is not there any more.
   */
  isDoubtful(listing: IndexListing): boolean
  /** Reads the stored records of listings, whose verdicts may be newer than those this tab knows. Fetches nothing. */
  loadVerdicts(listings: readonly IndexListing[]): Promise<void>
  clear(): Promise<void>
}

/**
 * Stores records in an IndexedDB database of their own; in memory, for this page, when that fails.
 *
 * @param options.fetchRecord fetches a record from the directory
 * @param options.now ms since 1970
 */
export function createRecords(options: {
  database: string
  fetchRecord: (fullName: string) => Promise<PluginRecord | null>
  maxRecords?: number
  now?: () => number
}): Records {
  const { database, fetchRecord, maxRecords = MAX_RECORDS, now = Date.now } = options
  const store = createStore(database, 'records')
  // Async, because without IndexedDB the store throws synchronously.
  const use: UseStore = async (mode, task) =>
    withTimeLimit(systemTimer, DATABASE_LIMIT_MS, 'IndexedDB', Promise.resolve(store(mode, task)))
  /** Values that could not be written to the database. */
  const unsaved = new Map<string, unknown>()
  const requests = new Map<string, Promise<PluginRecord | null>>()
  /** The records that were read in this tab, by listing key. */
  const known = new Map<string, PluginRecord | null>()

  async function readValue(key: string): Promise<unknown> {
    try {
      return unsaved.get(key) ?? (await use('readonly', (objects) => promisifyRequest(objects.get(key))))
    } catch (error) {
      report('records: read', error)
      return undefined
    }
  }

  async function write(key: string, value: unknown): Promise<void> {
    try {
      await use('readwrite', async (objects) => {
        objects.put(value, key)
        // Most writes replace a record, or add one while there is room.
        if ((await promisifyRequest(objects.count())) > maxRecords) {
          for (const old of oldest(await entriesOf(objects), key)) objects.delete(old)
        }
        await promisifyRequest(objects.transaction)
      })
      unsaved.delete(key)
    } catch (error) {
      report('records: write', error)
      unsaved.set(key, value)
      for (const old of oldest([...unsaved].filter(isEntry), key)) unsaved.delete(old)
    }
  }

  /** Returns the keys of the records to delete once `newest` is stored. */
  function oldest(entries: [string, Entry][], newest: string): string[] {
    const others = entries.filter(([key]) => key !== newest).sort(([, a], [, b]) => a.at - b.at)
    return others.slice(0, Math.max(0, others.length + 1 - maxRecords)).map(([key]) => key)
  }

  /** Times that the records were cleared: what was requested before is not stored after. */
  let clears = 0

  async function fetchUnlessFailed(fullName: string, force: boolean): Promise<PluginRecord | null> {
    if (!force && Math.abs(now() - Number(await readValue(FAILED_KEY))) < FAILURE_PAUSE_MS)
      throw new Error('The directory failed a moment ago.')
    try {
      return await fetchRecord(fullName)
    } catch (error) {
      await write(FAILED_KEY, now())
      throw error
    }
  }

  async function obtain(fullName: string, key: string, force: boolean): Promise<PluginRecord | null> {
    const value = await readValue(key)
    const stored = isEntry([key, value]) ? (value as Entry) : null
    const age = stored ? now() - stored.at : FRESH_MS
    if (stored && age >= 0 && age < FRESH_MS) return stored.record
    const clearsBefore = clears
    try {
      const record = await fetchUnlessFailed(fullName, force)
      if (clears === clearsBefore) await write(key, { at: now(), record } satisfies Entry)
      return record
    } catch (error) {
      if (stored) return stored.record
      throw error
    }
  }

  const verdictOnOwn = ({ fullName, install }: IndexListing): Verdict | null => {
    const record = known.get(listingKey(fullName))
    return record?.install === install ? verdictOf(record) : null
  }

  return {
    get(fullName, { force = false } = {}) {
      const key = listingKey(fullName)
      const pending = requests.get(key)
      if (pending) return pending
      const request = obtain(fullName, key, force).finally(() => requests.delete(key))
      requests.set(key, request)
      request.then(
        (record) => known.set(key, record),
        () => {},
      )
      return request
    },
    verdictOf: verdictOnOwn,
    isDoubtful(listing) {
      const record = known.get(listingKey(listing.fullName))
      const isGone = record === null || (record?.install === null && listing.install !== null)
      return isGone || isDoubtful(verdictOnOwn(listing))
    },
    async loadVerdicts(listings) {
      const read = async ({ fullName }: IndexListing) => {
        const key = listingKey(fullName)
        const pair: [string, unknown] = [key, await readValue(key)]
        if (isEntry(pair)) known.set(key, pair[1].record)
        else known.delete(key)
      }
      await Promise.all(listings.map(read))
    },
    async clear() {
      clears++
      unsaved.clear()
      known.clear()
      try {
        await use('readwrite', (objects) => promisifyRequest(objects.clear()))
      } catch (error) {
        report('records: clear', error)
      }
    },
  }
}

async function entriesOf(objects: IDBObjectStore): Promise<[string, Entry][]> {
  const [keys, values] = await Promise.all([
    promisifyRequest(objects.getAllKeys()),
    promisifyRequest<unknown[]>(objects.getAll()),
  ])
  return keys.map((key, at): [string, unknown] => [String(key), values[at]]).filter(isEntry)
}

/** Returns false also for the record of another listing: keys were folded in an earlier version. */
const isEntry = (pair: [string, unknown]): pair is [string, Entry] => {
  const [key, value] = pair
  return v.is(EntrySchema, value) && (value.record === null || listingKey(value.record.fullName) === key)
}
