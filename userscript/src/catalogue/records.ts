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

/**
 * A database that has not answered within this time counts as absent. Twice this, and a request, fit into the time that
 * a copy waits for a record. ms
 */
const DATABASE_LIMIT_MS = 500

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
  readonly #requests = new Map<string, Promise<PluginRecord | null>>()
  /** Records that this tab has read or fetched, by listing key. The database may hold less, or nothing. */
  readonly #known = new Map<string, Entry>()
  /** Time of the last failure of the directory in this tab, ms since 1970. */
  #failedAt = 0
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
    return request
  }

  /** Returns the verdict on a listing's own command; null when no record with it was read in this tab. */
  verdictOf({ fullName, install }: IndexListing): Verdict | null {
    const record = this.#known.get(listingKey(fullName))?.record
    return record?.install === install ? verdictOf(record) : null
  }

  /**
   * Returns true if the directory is known to doubt a listing's own command: the install check failed, or the listing
   * or its command is not there any more.
   */
  isDoubtful(listing: IndexListing): boolean {
    const record = this.#known.get(listingKey(listing.fullName))?.record
    const isGone = record === null || (record?.install === null && listing.install !== null)
    return isGone || isDoubtful(this.verdictOf(listing))
  }

  /** Reads the stored records of listings, whose verdicts may be newer than those this tab knows. Fetches nothing. */
  async loadVerdicts(listings: readonly IndexListing[]): Promise<void> {
    await Promise.all(listings.map(({ fullName }) => this.#load(listingKey(fullName))))
  }

  async clear(): Promise<void> {
    this.#clears++
    this.#known.clear()
    this.#failedAt = 0
    try {
      await this.#use('readwrite', (objects) => promisifyRequest(objects.clear()))
    } catch (error) {
      report('records: clear', error)
    }
  }

  async #obtain(fullName: string, key: string, force: boolean): Promise<PluginRecord | null> {
    const [known, failedAt] = await Promise.all([this.#load(key), this.#readValue(FAILED_KEY)])
    const age = known ? this.#now() - known.at : FRESH_MS
    if (known && age >= 0 && age < FRESH_MS) return known.record
    const clearsBefore = this.#clears
    try {
      const record = await this.#fetchUnlessFailed(fullName, Number(failedAt), force)
      if (this.#clears === clearsBefore) {
        const entry: Entry = { at: this.#now(), record }
        this.#known.set(key, entry)
        await this.#write(key, entry)
      }
      return record
    } catch (error) {
      if (known) return known.record
      throw error
    }
  }

  /** Returns the newest entry, of the database or of this tab. */
  async #load(key: string): Promise<Entry | undefined> {
    const clearsBefore = this.#clears
    const stored = await this.#readValue(key)
    const known = this.#known.get(key)
    if (this.#clears !== clearsBefore || !v.is(EntrySchema, stored) || (known && known.at > stored.at)) return known
    this.#known.set(key, stored)
    return stored
  }

  /** @param storedFailure time of the last failure in the database, ms since 1970; may be NaN, or too old */
  async #fetchUnlessFailed(fullName: string, storedFailure: number, force: boolean): Promise<PluginRecord | null> {
    // A database that refuses writes has no time, or an old one.
    const failures = [this.#failedAt, storedFailure]
    if (!force && failures.some((at) => Math.abs(this.#now() - at) < FAILURE_PAUSE_MS))
      throw new Error('The directory failed a moment ago.')
    try {
      return await this.#fetchRecord(fullName)
    } catch (error) {
      this.#failedAt = this.#now()
      await this.#write(FAILED_KEY, this.#failedAt)
      throw error
    }
  }

  async #readValue(key: string): Promise<unknown> {
    try {
      return await this.#use('readonly', (objects) => promisifyRequest(objects.get(key)))
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
        const count = await promisifyRequest(objects.count())
        if (count > this.#maxRecords) await deleteOldest(objects, count - this.#maxRecords)
        await promisifyRequest(objects.transaction)
      })
    } catch (error) {
      report('records: write', error)
    }
  }
}

async function deleteOldest(objects: IDBObjectStore, count: number): Promise<void> {
  const [keys, values] = await Promise.all([
    promisifyRequest(objects.getAllKeys()),
    promisifyRequest<unknown[]>(objects.getAll()),
  ])
  const timeOf = (value: unknown) => (v.is(EntrySchema, value) ? value.at : Number(value) || 0)
  const times = values.map((value, at) => ({ key: keys[at]!, at: timeOf(value) }))
  for (const { key } of times.sort((a, b) => a.at - b.at).slice(0, count)) objects.delete(key)
}
