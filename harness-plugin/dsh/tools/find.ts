import { CATEGORIES } from '@plugmark/shared/contract'
import { words } from '@plugmark/shared/locale'
import type { StoreListing } from '../../bridge/index.ts'
import { createFacetCodes, type Entry, entryOf } from '../../search/entry.ts'
import { fold, termsOf } from '../../search/fold.ts'
import { ordered } from '../../search/order.ts'
import { search } from '../../search/search.ts'

export interface Found {
  /** The best first. */
  readonly listings: readonly StoreListing[]
  /** Whether every word is found in each of them. */
  readonly all: boolean
}

/** What each category is called, in both languages: a capability is often asked for by that. */
const CATEGORY_WORDS = new Map<string | null, string>(
  CATEGORIES.map((id) => [id, fold(`${words('en').category(id)}\n${words('zh').category(id)}`)]),
)

/**
 * The listings that words tell of, as the screen finds them: by name, package and summaries of both languages, with a
 * typing error forgiven. An agent also asks in sentences: where no listing has every word, those with the most do.
 */
export function findListings(rows: readonly StoreListing[], query: string): Found {
  const codes = createFacetCodes()
  const entries = ordered(
    rows.map((row) => {
      const entry = entryOf(row, codes)
      return { ...entry, text: `${entry.text}\n${CATEGORY_WORDS.get(row.category) ?? ''}` }
    }),
    'stars',
  )
  const terms = termsOf(query.split(/\s+/))
  const exact = search(entries, terms)
  if (exact.length > 0 || terms.length < 2) return { listings: listingsOf(exact), all: true }
  const counts = new Map<Entry, number>()
  for (const term of terms) {
    for (const entry of search(entries, [term])) counts.set(entry, (counts.get(entry) ?? 0) + 1)
  }
  const most = [...counts.keys()].toSorted((a, b) => counts.get(b)! - counts.get(a)!)
  return { listings: listingsOf(most), all: false }
}

const listingsOf = (entries: readonly Entry[]) => entries.map(({ listing }) => listing)
