import { isDeepStrictEqual } from 'node:util'
import {
  INDEX_FRESH_MS,
  type IndexListing,
  type PluginRecord,
  repositoryKey,
  type Verdict,
  verdictOf,
} from '@plugmark/shared/contract'
import type { IndexCache } from '@plugmark/shared/index-cache'
import type { StoreListing } from '../../protocol/index.ts'
import {
  type KnownRecord,
  keyOf,
  type PackedRecord,
  packRecord,
  toIndexRow,
  toRow,
  unpackRecord,
} from './directory-record.ts'
import type { ReadVerdicts } from './verdicts.ts'

interface Entry {
  /** Grows with each change of the row. */
  readonly position: number
  /** Null when the index does not have the listing. */
  readonly indexed: IndexListing | null
  /** Null until its record was received. */
  readonly known: PackedRecord | null
  /** Time when the record was last received, ms since 1970. */
  readonly seenAt: number
}

/** A record as a process stores it for others. */
export interface StoredRecord extends PackedRecord {
  /** Key of its listing. */
  readonly key: string
  /** Time when it was last received, ms since 1970. */
  readonly seenAt: number
}

export type ListingTable = ReturnType<typeof createListingTable>

/**
 * Creates a table of listings by folded `fullName`, in the order of their last change: a page that continues from its
 * last position gets the rows that are new or changed since.
 */
export function createListingTable({ cli, now }: { readonly cli: string; readonly now: () => number }) {
  const entries = new Map<string, Entry>()
  let end = 0
  let revision = 0
  let described = 0
  let indexGenerated: string | null = null
  /** Times when records changed or were removed and not yet saved, ms since 1970. */
  let unsaved = new Map<string, number>()

  const isRecent = (at: number) => at <= now() && now() - at < INDEX_FRESH_MS
  const rowOf = ({ known, indexed }: Entry) => (known ? toRow(unpackRecord(known), cli) : toIndexRow(indexed!, cli))

  /** Changes an entry, and deletes it when it has neither an index row nor a record. */
  function set(key: string, change: Partial<Pick<Entry, 'indexed' | 'known' | 'seenAt'>>) {
    const before = entries.get(key)
    const { indexed = null, known = null, seenAt = 0, position = end } = before ?? {}
    const entry = { indexed, known, seenAt, position, ...change }
    described += Number(entry.known !== null) - Number(known !== null)
    const isSameRow = before && (entry.known ? known === entry.known : !known && indexed === entry.indexed)
    if (isSameRow) entries.set(key, entry)
    else {
      entries.delete(key)
      if (entry.known || entry.indexed) entries.set(key, { ...entry, position: end++ })
      else if (before) revision++
    }
  }

  function setKnown(key: string, known: PackedRecord | null, seenAt: number) {
    const before = entries.get(key)?.known ?? null
    const isSame = before?.json === known?.json && before?.verdict === known?.verdict
    set(key, { known: isSame ? before : known, seenAt })
    return !isSame
  }

  function upsert(record: PluginRecord, verdict: Verdict | null) {
    const key = keyOf(record.fullName)
    if (setKnown(key, packRecord(record, verdict), now())) unsaved.set(key, now())
  }

  function remove(key: string) {
    if (setKnown(key, null, 0)) unsaved.set(key, now())
  }

  function keysWhere(isWanted: (entry: Entry, key: string) => boolean): string[] {
    const keys: string[] = []
    for (const [key, entry] of entries) if (isWanted(entry, key)) keys.push(key)
    return keys
  }
  const row = (key: string): StoreListing | null => {
    const entry = entries.get(key)
    return entry ? rowOf(entry) : null
  }
  const rows = (keys: readonly string[]) => keys.map(row).filter((found) => found !== null)

  return {
    /** Changes when rows were removed. */
    get revision() {
      return revision
    },
    /** The position after the last row. */
    get end() {
      return end
    },
    get count() {
      return entries.size
    },
    /** Number of listings whose record is known. */
    get described() {
      return described
    },
    /** `generated` of the merged index; null when none was merged, or some rows may be missing. */
    get indexGenerated() {
      return indexGenerated
    },
    get hasUnsaved() {
      return unsaved.size > 0
    },
    row,
    rows,
    /** Returns every row, in the order of their last change. */
    allRows: (): StoreListing[] => Array.from(entries.values(), rowOf),
    /** Returns the rows whose JSON text passes a test, and all parts of a repository of which one passes. */
    rowsWhere(test: (json: string) => boolean): StoreListing[] {
      const found = new Set(keysWhere(({ known, indexed }) => test(known ? known.json : JSON.stringify(indexed))))
      const repositories = new Set([...found].filter((key) => key.includes('#')).map(repositoryKey))
      const isPart = (key: string) => repositories.size > 0 && repositories.has(repositoryKey(key))
      return keysWhere((_, key) => found.has(key) || isPart(key)).flatMap((key) => row(key) ?? [])
    },
    /** @returns at most `limit` rows from this position on, and the position to ask for next */
    page(from: number, limit: number): { readonly rows: readonly StoreListing[]; readonly next: number } {
      const found: StoreListing[] = []
      for (const entry of entries.values()) {
        if (entry.position < from) continue
        if (found.length === limit) return { rows: found, next: entry.position }
        found.push(rowOf(entry))
      }
      return { rows: found, next: end }
    },
    record(key: string): KnownRecord | null {
      const known = entries.get(key)?.known
      return known ? unpackRecord(known) : null
    },
    indexed: (key: string): IndexListing | null => entries.get(key)?.indexed ?? null,
    upsert,
    /** Stores a record from an answer that has no verdicts except those in the records themselves. */
    upsertPartial(record: PluginRecord) {
      // A record without a verdict keeps the verdict that the server's filter gave.
      const before = record.installCheck === undefined ? entries.get(keyOf(record.fullName))?.known?.verdict : undefined
      upsert(record, before ?? verdictOf(record))
    },
    /** Removes the records of listings that passed or waited for approval before and no longer do. */
    applyVerdicts({ passed, waiting }: Pick<ReadVerdicts, 'passed' | 'waiting'>) {
      const isWithdrawn = ({ known }: Entry, key: string) =>
        (known?.verdict === 'passed' && !passed.has(key)) ||
        (known?.verdict === 'needs-approval' && waiting !== null && !waiting.has(key))
      for (const key of keysWhere(isWithdrawn)) remove(key)
    },
    /**
     * Replaces the index rows. Removes listings that the index no longer has, except those whose records arrived too
     * recently for the index to contain them.
     *
     * @param lastGenerated `generated` of the index that the loaded records were last merged with
     * @returns true if it was merged; false if the index was replaced meanwhile and must be merged again
     */
    async mergeIndex(index: Pick<IndexCache, 'eachRepository'>, lastGenerated: string | null): Promise<boolean> {
      const listed = new Set<string>()
      indexGenerated = null
      const generated = await index.eachRepository((_, listings) => {
        for (const listing of listings) {
          const key = keyOf(listing.fullName)
          listed.add(key)
          const before = entries.get(key)?.indexed
          if (!isDeepStrictEqual(before, listing)) set(key, { indexed: listing })
        }
      })
      if (generated === null) return false
      indexGenerated = generated
      for (const key of keysWhere((_, key) => !listed.has(key))) {
        set(key, { indexed: null })
        if (generated !== lastGenerated && !isRecent(entries.get(key)?.seenAt ?? 0)) remove(key)
      }
      return true
    },
    /** Replaces the records with those that another process stored, except records that changed here later. */
    applyRemote(records: readonly StoredRecord[]) {
      const remote = new Set<string>()
      for (const { key, seenAt, json, verdict, stars } of records) {
        remote.add(key)
        if ((unsaved.get(key) ?? Number.NEGATIVE_INFINITY) >= seenAt) continue
        unsaved.delete(key)
        setKnown(key, { json, verdict, stars }, Math.max(seenAt, entries.get(key)?.seenAt ?? 0))
      }
      for (const key of keysWhere(({ known }, key) => known !== null && !remote.has(key) && !unsaved.has(key)))
        setKnown(key, null, 0)
    },
    /** Returns every record to save, and a function that marks them as unsaved again after a failure. */
    takeUnsaved(): { readonly records: readonly StoredRecord[]; readonly restore: () => void } {
      const taken = unsaved
      unsaved = new Map()
      const records = [...entries].flatMap(([key, { known, seenAt }]) => (known ? [{ key, ...known, seenAt }] : []))
      return {
        records,
        restore() {
          unsaved = new Map([...taken, ...unsaved])
        },
      }
    },
    /** Returns the ids of the listings that are published under this name. */
    published(name: string): string[] {
      const text = JSON.stringify(name)
      const keys = keysWhere(({ known, indexed }) => (known ? known.json.includes(text) : indexed?.npm === name))
      return rows(keys).flatMap(({ id, npmPackage }) => (npmPackage === name ? id : []))
    },
    /** Returns the ids of the other listings of the same repository. */
    siblings(key: string): string[] {
      const repository = repositoryKey(key)
      return rows(keysWhere((_, other) => other !== key && repositoryKey(other) === repository)).map(({ id }) => id)
    },
  }
}
