import type { StoreListing } from '../protocol/index.ts'
import { type Entry, entryOf } from './entry.ts'
import { createFacetIndex } from './facet-index.ts'
import type { ProfileFacts, Sort } from './facets.ts'
import { ordered } from './order.ts'
import { type Query, renderWords } from './query.ts'
import { type SearchResult, search } from './search.ts'
import { termsOf } from './terms.ts'

export interface Found {
  /** The best first. */
  readonly listings: readonly StoreListing[]
  /** How many more there are whatever the install check says of them. */
  readonly hidden: number
  /** False when no listing has every word, and these have the most of them. */
  readonly hasEveryWord: boolean
  /** The words after spelling correction; null when nothing was corrected. */
  readonly meant: string | null
  /** Words that are found nowhere. */
  readonly missing: readonly string[]
}

/**
 * Searches the listings that are here, and adds those that the directory found for the same words. Where none here has
 * every word, those of the directory do, in texts that are not here, and are the only ones.
 *
 * @param sort null: in the order in which they are found
 * @param passing returns the entries that the filters let pass
 */
export function searchWith(
  entries: readonly Entry[],
  terms: readonly string[],
  {
    more,
    sort,
    passing,
  }: { readonly more: readonly Entry[]; readonly sort: Sort | null; readonly passing: () => readonly Entry[] },
): SearchResult {
  const found = search(entries, terms, passing)
  const isAdded = terms.length > 0 && more.length > 0
  const here = isAdded && !found.hasEveryTerm ? [] : found.entries
  const all = isAdded ? [...new Set([...here, ...more])] : here
  return {
    ...found,
    hasEveryTerm: found.hasEveryTerm || isAdded,
    corrected: isAdded && !found.hasEveryTerm ? null : found.corrected,
    missing: isAdded ? [] : found.missing,
    entries: sort === null || terms.length === 0 ? all : ordered(all, sort),
  }
}

/**
 * Finds listings as the screen does, for an agent or a command line that asks once.
 *
 * @param rows every listing that is here
 * @param more ids that the directory found for the same words
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
  const byId = new Map(entries.map((entry) => [entry.listing.id, entry]))
  const others = more.flatMap((id) => byId.get(id) ?? [])
  const found = searchWith(entries, termsOf(query.words), {
    more: others,
    sort: query.sort,
    passing: () => index.filter(entries, query, profile).entries,
  })
  const shown = index.filter(found.entries, query, profile).entries
  const unchecked = index.filter(found.entries, { ...query, verdict: ['all'] }, profile).entries
  return {
    listings: shown.map(({ listing }) => listing),
    hidden: unchecked.length - shown.length,
    hasEveryWord: found.hasEveryTerm,
    meant: found.corrected && renderWords(found.corrected),
    missing: found.missing,
  }
}
