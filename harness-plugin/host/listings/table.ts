import { setImmediate as nextTurn } from 'node:timers/promises'
import { type IndexListing, type PluginRecord, repositoryKey, verdictOf } from '@plugmark/shared/contract'
import type { StoreListing } from '../../bridge/index.ts'
import { createFeed } from './feed.ts'
import type { Records } from './records/records.ts'
import { type IndexRow, type KnownRecord, rowOfIndex, sameIndexRow, toIndexRow, toListing } from './row.ts'

/** Index rows that are worked on before others get their turn. */
const SLICE = 500

export const keyOf = (id: string): string => id.toLowerCase()

export type ListingTable = ReturnType<typeof createTable>

/** Every listing, by folded `fullName`: the rows of the index joined with the records that were seen. */
export function createTable(records: Records, { cli }: { readonly cli: string }) {
  const feed = createFeed()
  const index = new Map<string, IndexRow>()
  /** Keys whose records came in this run: these an older index cannot know to be gone. */
  const seen = new Set<string>()

  const ranked = [...records.ranks()].sort(([, a], [, b]) => Number(b.passed) - Number(a.passed) || b.stars - a.stars)
  if (ranked.length > 0) feed.restart(ranked.map(([key]) => key))

  function know(known: KnownRecord) {
    const key = keyOf(known.record.fullName)
    seen.add(key)
    if (records.put(key, known) || !feed.has(key)) feed.push(key)
  }

  /** Takes records away; the index may still have their listings. */
  function forget(keys: readonly string[]) {
    const gone = new Set<string>()
    for (const key of keys) {
      records.delete(key)
      if (index.has(key)) feed.push(key)
      else gone.add(key)
    }
    if (gone.size > 0) feed.restart([...feed.keys()].filter((key) => !gone.has(key)))
  }

  function row(key: string): StoreListing | null {
    const known = records.get(key)
    if (known) return toListing(known, { cli })
    const listed = index.get(key)
    return listed ? rowOfIndex(listed) : null
  }
  const rows = (keys: readonly string[]) => keys.map(row).filter((found) => found !== null)

  return {
    feed,
    row,
    rows,
    know,
    /** A record in the answer to another question than which passed. */
    glimpse(record: PluginRecord) {
      const key = keyOf(record.fullName)
      // Where records carry no verdict, the one that the server's filter gave stays.
      const before = record.installCheck === undefined ? records.get(key)?.verdict : undefined
      know({ record, verdict: before ?? verdictOf(record) })
    },
    /** What is known to have passed is just this. */
    confirmPassed(passed: ReadonlySet<string>) {
      forget([...records.ranks()].flatMap(([key, rank]) => (rank.passed && !passed.has(key) ? [key] : [])))
    },
    /** Takes an index over: new rows come, and listings it no longer has go. */
    async join(listings: readonly IndexListing[]) {
      const gone = new Set(index.keys())
      for (const [at, listing] of listings.entries()) {
        if (at % SLICE === SLICE - 1) await nextTurn()
        const key = keyOf(listing.fullName)
        gone.delete(key)
        const before = index.get(key)
        const after = toIndexRow(listing, { cli })
        if (before && sameIndexRow(before, after)) continue
        index.set(key, after)
        if (!records.has(key)) feed.push(key)
      }
      for (const key of gone) index.delete(key)
      forget([...feed.keys()].filter((key) => !index.has(key) && !seen.has(key)))
    },
    /** Ids of the listings that the index says are published under this name. */
    published: (name: string) => [...index.values()].filter(({ npm }) => npm === name).map(({ id }) => id),
    isIndexed: (key: string) => index.has(key),
    /** Ids of the other listings of its repository. */
    siblings(key: string): string[] {
      const repository = repositoryKey(key)
      const others = [...feed.keys()].filter((other) => other !== key && repositoryKey(other) === repository)
      return rows(others).map(({ id }) => id)
    },
  }
}
