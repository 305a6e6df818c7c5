import type { StoreListing } from '../../protocol/index.ts'
import { createFacetCodes, type Entry, entryOf } from '../../search/entry.ts'
import { termsOf } from '../../search/fold.ts'
import { ordered } from '../../search/order.ts'
import { search } from '../../search/search.ts'

export interface Found {
  /** The best first. */
  readonly listings: readonly StoreListing[]
  /** Whether every word is found in each of them. */
  readonly all: boolean
  /** The words that were meant, where they are others than those that were asked for. */
  readonly meant: string | null
}

/**
 * The listings that words tell of, as the screen finds them. An agent also asks in sentences: where no listing has
 * every word, those with the most do.
 */
export function findListings(rows: readonly StoreListing[], words: readonly string[]): Found {
  const codes = createFacetCodes()
  const entries = ordered(
    rows.map((row) => entryOf(row, codes)),
    'stars',
  )
  const terms = termsOf(words)
  const { entries: found, meant } = search(entries, terms)
  if (found.length > 0 || terms.length < 2)
    return { listings: listingsOf(found), all: true, meant: meant?.join(' ') ?? null }
  const counts = new Map<Entry, number>()
  for (const term of terms) {
    for (const entry of search(entries, [term]).entries) counts.set(entry, (counts.get(entry) ?? 0) + 1)
  }
  const most = [...counts.keys()].toSorted((a, b) => counts.get(b)! - counts.get(a)!)
  return { listings: listingsOf(most), all: false, meant: null }
}

const listingsOf = (entries: readonly Entry[]) => entries.map(({ listing }) => listing)
