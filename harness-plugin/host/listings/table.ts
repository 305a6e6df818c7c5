import type { Catalogue } from '@plugmark/shared/catalogue'
import { type PluginRecord, repositoryKey, verdictOf } from '@plugmark/shared/contract'
import type { StoreListing } from '../../bridge/index.ts'
import { createFeed } from './feed.ts'
import type { PassedReading } from './passed.ts'
import { createColumn } from './records/column.ts'
import type { LinePlace } from './records/file.ts'
import type { LineFacts } from './records/keys.ts'
import type { Records } from './records/records.ts'
import type { KnownRecord } from './row.ts'

export const keyOf = (id: string): string => id.toLowerCase()

/** No code host has such a name: it would look like another, or turn what stands beside it around. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u

export type ListingTable = ReturnType<typeof createTable>

/** Every listing, by folded `fullName`: the records that were seen, and of the others what the index says. */
export function createTable(records: Records) {
  const feed = createFeed()
  /** 1 for listings whose records came in this run: these an older index cannot know to be gone. */
  const seen = createColumn()
  /** The join that last had a listing. */
  const joined = createColumn()
  let joins = 0

  for (const number of records.inOrder()) feed.push(number)

  function know(known: KnownRecord) {
    if (UNSEEN.test(known.record.fullName)) return
    const { number, isNews } = records.putRecord(keyOf(known.record.fullName), known)
    seen.set(number, 1)
    if (isNews || !feed.has(number)) feed.push(number)
  }

  function forget(keys: readonly string[]): boolean {
    const gone = new Set(keys.map((key) => records.numberOf(key)!))
    for (const key of keys) records.delete(key)
    if (gone.size > 0) feed.restart([...feed.listings()].filter((number) => !gone.has(number)))
    return gone.size > 0
  }

  function keysWhere(isWanted: (number: number, key: string) => boolean): string[] {
    const keys: string[] = []
    for (const [key, number] of records.numbers()) if (isWanted(number, key)) keys.push(key)
    return keys
  }

  function row(key: string): StoreListing | null {
    const number = records.numberOf(key)
    return number === undefined ? null : records.listing(number)
  }
  const rows = (keys: readonly string[]) => keys.map(row).filter((found) => found !== null)

  return {
    row,
    rows,
    know,
    get revision() {
      return feed.revision
    },
    get end() {
      return feed.end
    },
    get count() {
      return feed.count
    },
    /** @returns at most `limit` rows from this place on, and the place after the last of them */
    page(from: number, limit: number): { readonly rows: readonly StoreListing[]; readonly next: number } {
      const { listings, next } = feed.from(from, limit)
      return { rows: listings.map(records.listing).filter((found) => found !== null), next }
    },
    /** Another process knows this of a listing. */
    adopt: (key: string, facts: LineFacts, line: string | LinePlace) => feed.push(records.adopt(key, facts, line)),
    /** @param keys of listings that another process no longer has */
    drop(keys: readonly string[]) {
      forget(keys.filter((key) => records.numberOf(key) !== undefined))
    },
    record(key: string): KnownRecord | null {
      const number = records.numberOf(key)
      return number === undefined ? null : records.record(number)
    },
    /** A record in the answer to another question than which passed. */
    glimpse(record: PluginRecord) {
      const number = records.numberOf(keyOf(record.fullName))
      // Where records carry no verdict, the one that the server's filter gave stays.
      const before =
        record.installCheck === undefined && number !== undefined ? records.record(number)?.verdict : undefined
      know({ record, verdict: before ?? verdictOf(record) })
    },
    /**
     * What is known to have passed is just this; so is what is known to wait for approval, unless it is null.
     *
     * @returns whether records were taken away, whose listings the index may still have
     */
    confirm({ passed, waiting }: Pick<PassedReading, 'passed' | 'waiting'>): boolean {
      const isWithdrawn = (number: number, key: string) =>
        (records.hasPassed(number) && !passed.has(key)) ||
        (records.waits(number) && waiting !== null && !waiting.has(key))
      return forget(keysWhere(isWithdrawn))
    },
    /**
     * Takes the index over: new rows come, and listings it no longer has go.
     *
     * @returns `generated` of the index; null when it was replaced on the way, and is to be taken over again
     */
    async join(catalogue: Pick<Catalogue, 'eachRepository'>): Promise<string | null> {
      joins++
      const generated = await catalogue.eachRepository((_, listings) => {
        for (const listed of listings) {
          if (UNSEEN.test(listed.fullName)) continue
          const { number, isNews } = records.putIndexRow(keyOf(listed.fullName), listed)
          joined.set(number, joins)
          if (isNews || !feed.has(number)) feed.push(number)
        }
      })
      if (generated === null) return null
      forget(keysWhere((number) => joined.at(number) !== joins && seen.at(number) === 0))
      return generated
    },
    /** Ids of the listings that are published under this name. */
    published: (name: string) => records.published(name).map(({ id }) => id),
    /** Ids of the other listings of its repository. */
    siblings(key: string): string[] {
      const repository = repositoryKey(key)
      return rows(keysWhere((_, other) => other !== key && repositoryKey(other) === repository)).map(({ id }) => id)
    },
  }
}
