import type { StoreListing } from '../protocol/index.ts'
import { createFacetCodes, type Entry, entryOf } from '../search/entry.ts'
import { filtered } from '../search/facets.ts'
import { DEFAULT_FILTERS, type Filters } from '../search/filters.ts'
import { termsOf } from '../search/fold.ts'
import { ordered } from '../search/order.ts'
import { search } from '../search/search.ts'

export interface Found {
  /** The best first. */
  readonly entries: readonly Entry[]
  /** How many more match whatever their verdict. */
  readonly hidden: number
  /** The words that were meant, where they are others than those that were asked for. */
  readonly meant: readonly string[] | null
}

/** Finds listings as the screen does. @param filters @default every verdict */
export function findListings(
  rows: readonly StoreListing[],
  given: { readonly words: readonly string[]; readonly filters?: Filters; readonly installed?: ReadonlySet<string> },
): Found {
  const { words, filters = { ...DEFAULT_FILTERS, verdict: 'all' }, installed = new Set() } = given
  const codes = createFacetCodes()
  const inOrder = ordered(
    rows.map((row) => entryOf(row, codes)),
    filters.sort ?? 'stars',
  )
  const { entries: matching, meant } = search(inOrder, termsOf(words))
  const sorted = filters.sort === null ? matching : ordered(matching, filters.sort)
  const facts = { codes, profile: { installed, updatable: new Set<string>() } }
  const { entries, counts } = filtered(sorted, filters, facts)
  return { entries, hidden: counts.verdict.all - entries.length, meant }
}
