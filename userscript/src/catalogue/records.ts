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

/**
 * Records of single listings, fetched when a card opens or a command is copied, and stored for a day: in an IndexedDB
 * database of their own, or in memory, for this page, when that fails.
 */
export class Records {
  readonly #fetchRecord: (fullName: string) => Promise<PluginRecord | null>
  readonly #maxRecords: number
  readonly #now: () => number
  readonly #use: UseStore
  /** Values that could not be written to the database. */
  readonly #unsaved = new Map<string, unknown>()
  readonly #requests = new Map<string, Promise<PluginRecord | null>>()
  /** The records that were read in this tab, by listing key. */
  readonly #known = new Map<string, PluginRecord | null>()
  /** Times that the records were cleared: what was requested before is not stored after. */
  #clears = 0

  /**
   * @param options.fetchRecord fetches a record from the directory
   * @param options.now ms since 1970
   */
  constructor(options: {
    database: string
    fetchRecord: (fullName: string) => Promise<PluginRecord | null>
    maxRecords?: number
    now?: () => number
  }) {
    const { database, fetchRecord, maxRecords = MAX_RECORDS, now = Date.now } = options
    this.#fetchRecord = fetchRecord
    this.#maxRecords = maxRecords
    this.#now = now
    const store = createStore(database, 'records')
    // Async, because without IndexedDB the store throws synchronously.
    this.#use = async (mode, task) =>
      withTimeLimit(systemTimer, DATABASE_LIMIT_MS, 'IndexedDB', Promise.resolve(store(mode, task)))
  }

  /**
   * Returns the record of a listing; null when the directory has none under that name.
   *
   * @param options.force true for a request by the user: ignores a recent failure of the directory
   * @throws when it is not stored and cannot be fetched; returns an old one rather than none
   */
  get(fullName: string, { force = false }: { readonly force?: boolean } = {}): Promise<PluginRecord | null> {
    const key = listingKey(fullName)
    const pending = this.#requests.get(key)
    if (pending) return pending
    const request = this.#obtain(fullName, key, force).finally(() => this.#requests.delete(key))
    this.#requests.set(key, request)
    request.then(
      (record) => this.#known.set(key, record),
      () => {},
    )
    return request
  }

  /** Returns the verdict on a listing's own command; null when no record with it was read in this tab. */
  verdictOf({ fullName, install }: IndexListing): Verdict | null {
    const record = this.#known.get(listingKey(fullName))
    return record?.install === install ? verdictOf(record) : null
  }

  /**
   * Returns true if the directory is known to doubt a listing's own command: the install check failed, or the listing
   * or its command is not there any more.
   */
  isDoubtful(listing: IndexListing): boolean {
    const record = this.#known.get(listingKey(listing.fullName))
    const isGone = record === null || (record?.install === null && listing.install !== null)
    return isGone || isDoubtful(this.verdictOf(listing))
  }

  /** Reads the stored records of listings, whose verdicts may be newer than those this tab knows. Fetches nothing. */
  async loadVerdicts(listings: readonly IndexListing[]): Promise<void> {
    const read = async ({ fullName }: IndexListing) => {
      const key = listingKey(fullName)
      const pair: [string, unknown] = [key, await this.#readValue(key)]
      if (isEntry(pair)) this.#known.set(key, pair[1].record)
      else this.#known.delete(key)
    }
    await Promise.all(listings.map(read))
  }

  async clear(): Promise<void> {
    this.#clears++
    this.#unsaved.clear()
    this.#known.clear()
    try {
      await this.#use('readwrite', (objects) => promisifyRequest(objects.clear()))
    } catch (error) {
      report('records: clear', error)
    }
  }

  async #obtain(fullName: string, key: string, force: boolean): Promise<PluginRecord | null> {
    const value = await this.#readValue(key)
    const stored = isEntry([key, value]) ? (value as Entry) : null
    const age = stored ? this.#now() - stored.at : FRESH_MS
    if (stored && age >= 0 && age < FRESH_MS) return stored.record
    const clearsBefore = this.#clears
    try {
      const record = await this.#fetchUnlessFailed(fullName, force)
      if (this.#clears === clearsBefore) await this.#write(key, { at: this.#now(), record } satisfies Entry)
      return record
    } catch (error) {
      if (stored) return stored.record
      throw error
    }
  }

  async #fetchUnlessFailed(fullName: string, force: boolean): Promise<PluginRecord | null> {
    if (!force && Math.abs(this.#now() - Number(await this.#readValue(FAILED_KEY))) < FAILURE_PAUSE_MS)
      throw new Error('The directory failed a moment ago.')
    try {
      return await this.#fetchRecord(fullName)
    } catch (error) {
      await this.#write(FAILED_KEY, this.#now())
      throw error
    }
  }

  async #readValue(key: string): Promise<unknown> {
    try {
      const read = () => this.#use('readonly', (objects) => promisifyRequest(objects.get(key)))
      return this.#unsaved.get(key) ?? (await read())
    } catch (error) {
      report('records: read', error)
      return undefined
    }
  }

  async #write(key: string, value: unknown): Promise<void> {
    try {
      await this.#use('readwrite', async (objects) => {
        objects.put(value, key)
        // Most writes replace a record, or add one while there is room.
        if ((await promisifyRequest(objects.count())) > this.#maxRecords) {
          for (const old of this.#oldest(await entriesOf(objects), key)) objects.delete(old)
        }
        await promisifyRequest(objects.transaction)
      })
      this.#unsaved.delete(key)
    } catch (error) {
      report('records: write', error)
      this.#unsaved.set(key, value)
      for (const old of this.#oldest([...this.#unsaved].filter(isEntry), key)) this.#unsaved.delete(old)
    }
  }

  /** Returns the keys of the records to delete once `newest` is stored. */
  #oldest(entries: [string, Entry][], newest: string): string[] {
    const others = entries.filter(([key]) => key !== newest).sort(([, a], [, b]) => a.at - b.at)
    return others.slice(0, Math.max(0, others.length + 1 - this.#maxRecords)).map(([key]) => key)
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
