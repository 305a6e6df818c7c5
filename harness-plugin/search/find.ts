import type { StoreListing } from '../protocol/index.ts'
import { type Entry, entryOf } from './entry.ts'
import { createFacetIndex } from './facet-index.ts'
import type { ProfileFacts, Sort } from './facets.ts'
import { ordered } from './order.ts'
import { type Query, renderWords } from './query.ts'
import { type SearchResult, search } from './search.ts'
import { termsOf } from './terms.ts'
import { textFilter } from './text-filter.ts'

export interface Found {
  /** Sorted, the best first. */
  readonly listings: readonly StoreListing[]
  /** Number of further listings that did not pass the install check. */
  readonly hidden: number
  /** False when no listing has every word, and these have most of them. */
  readonly hasEveryWord: boolean
  /** The words after spelling correction; null when nothing was corrected. */
  readonly meant: string | null
  /** Words that no listing has. */
  readonly missing: readonly string[]
  /** True if a local listing has every word as it was typed. */
  readonly isExact: boolean
}

/**
 * Searches the local listings, and appends the directory's results for the same words. When no local listing has every
 * word, returns only the directory's: their matches are in texts that exist only there.
 *
 * @param sort null: in the order in which they are found
 * @param passing returns the entries that pass the filters
 * @returns `isExact`: true if a local listing has every term as it was typed
 */
export function searchWith(
  entries: readonly Entry[],
  terms: readonly string[],
  {
    more,
    sort,
    passing,
  }: { readonly more: readonly Entry[]; readonly sort: Sort | null; readonly passing: () => readonly Entry[] },
): SearchResult & { readonly isExact: boolean } {
  const found = search(entries, terms, passing)
  const isAdded = terms.length > 0 && more.length > 0
  const here = isAdded && !found.hasEveryTerm ? [] : found.entries
  const all = isAdded ? [...new Set([...here, ...more])] : here
  return {
    ...found,
    hasEveryTerm: found.hasEveryTerm || isAdded,
    corrected: isAdded && !found.hasEveryTerm ? null : found.corrected,
    missing: isAdded ? [] : found.missing,
    isExact: found.hasEveryTerm && found.corrected === null && found.entries.length > 0,
    entries: sort === null || terms.length === 0 ? all : ordered(all, sort),
  }
}

export interface LocalListings {
  /** Every listing. */
  readonly rows: readonly StoreListing[]
  /** Returns the listings whose JSON text passes a test, and all parts of their repositories. */
  rowsWhere(test: (json: string) => boolean): readonly StoreListing[]
}

/**
 * Finds listings as the screen does, for an agent or a command line that searches once.
 *
 * @param options.more the directory's results for the same words
 */
export function findListings(
  local: LocalListings,
  query: Query,
  options: { readonly profile: ProfileFacts; readonly more?: readonly StoreListing[] },
): Found {
  const terms = termsOf(query.words)
  // Most listings do not match, and need not be parsed.
  const exact = terms.length === 0 ? null : findIn(local.rowsWhere(textFilter(terms)), { query, terms }, options)
  return exact?.isExact ? exact : findIn(local.rows, { query, terms }, options)
}

function findIn(
  rows: readonly StoreListing[],
  { query, terms }: { readonly query: Query; readonly terms: readonly string[] },
  { profile, more = [] }: { readonly profile: ProfileFacts; readonly more?: readonly StoreListing[] },
): Found {
  const index = createFacetIndex()
  const byId = new Map([...rows, ...more].map((row) => [row.id, entryOf(row, index)]))
  const entries = ordered([...byId.values()], query.sort ?? 'stars')
  const others = more.flatMap(({ id }) => byId.get(id) ?? [])
  const found = searchWith(entries, terms, {
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
    isExact: found.isExact,
  }
}
