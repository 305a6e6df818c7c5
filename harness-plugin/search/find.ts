import type { StoreListing } from '../protocol/index.ts'
import { type Entry, entryOf } from './entry.ts'
import { createFacetIndex } from './facet-index.ts'
import type { ProfileFacts, Sort } from './facets.ts'
import { termsOf } from './fold.ts'
import { ordered } from './order.ts'
import type { Query } from './query.ts'
import { search } from './search.ts'

export interface Found {
  /** The best first. */
  readonly listings: readonly StoreListing[]
  /** How many more there are whatever the install check says of them. */
  readonly hidden: number
  /** Whether every word is found in each of them, or none has all and these have the most. */
  readonly hasEveryWord: boolean
  /** The words that were meant, where they are others than those that were asked for. */
  readonly meant: string | null
}

/**
 * What is found here, and behind it what the directory found for the same words.
 *
 * @param sort null: in the order in which they are found
 */
export function withMore(here: readonly Entry[], more: readonly Entry[], sort: Sort | null): readonly Entry[] {
  const all = more.length === 0 ? here : [...new Set([...here, ...more])]
  return sort === null ? all : ordered(all, sort)
}

function withMostTerms(entries: readonly Entry[], terms: readonly string[]): Entry[] {
  const counts = new Map<Entry, number>()
  for (const term of terms)
    for (const entry of search(entries, [term]).entries) counts.set(entry, (counts.get(entry) ?? 0) + 1)
  return [...counts.keys()].toSorted((a, b) => counts.get(b)! - counts.get(a)!)
}

/**
 * Finds listings as the screen does, for an agent or a command line that asks once. They also ask in sentences: where no
 * listing has every word, those with the most are found.
 *
 * @param rows every listing that is here
 * @param more ids that the directory found for the same words, which come behind those that are found here
 */
export function findListings(
  rows: readonly StoreListing[],
  query: Query,
  { profile, more = [] }: { readonly profile: ProfileFacts; readonly more?: readonly string[] },
): Found {
  const index = createFacetIndex()
  const entries = ordered(
    rows.map((row) => entryOf(row, index)),
    query.sort ?? 'stars',
  )
  const terms = termsOf(query.words)
  const { entries: exact, meant } = search(entries, terms)
  const byId = new Map(entries.map((entry) => [entry.listing.id, entry]))
  const others = more.flatMap((id) => byId.get(id) ?? [])
  const hasEveryWord = exact.length > 0 || others.length > 0 || terms.length < 2
  const matching = hasEveryWord ? withMore(exact, others, query.sort) : withMostTerms(entries, terms)
  const shown = index.filter(matching, query, profile).entries
  const unchecked = index.filter(matching, { ...query, verdict: ['all'] }, profile).entries
  return {
    listings: shown.map(({ listing }) => listing),
    hidden: unchecked.length - shown.length,
    hasEveryWord,
    meant: hasEveryWord ? (meant?.join(' ') ?? null) : null,
  }
}
