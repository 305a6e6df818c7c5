import { CATEGORIES, RISK_FLAGS, repositoryKey } from '@plugmark/shared/contract'
import type { StoreListing } from '../protocol/index.ts'
import { categoryLabels, type Entry, entryOf, riskLabels } from './entry.ts'
import { createFacetIndex, type FacetIndex, type Filters, type ProfileFacts, type Sort } from './facets.ts'
import { isPartOfRepository } from './listings.ts'
import { type Query, renderWords } from './query.ts'
import { matchesLabel, type SearchResult, search, singularOf } from './search.ts'
import { termsOf } from './terms.ts'

export interface Found {
  /** Sorted, the best first. */
  readonly listings: readonly StoreListing[]
  /** Number of further listings that did not pass the install check. */
  readonly hidden: number
  /** False when none of the listings has every word. */
  readonly hasEveryWord: boolean
  /** The words that a listing has, by the id of each that does not have them all. */
  readonly found: ReadonlyMap<string, readonly string[]>
  /** The words after spelling correction; null when nothing was corrected. */
  readonly meant: string | null
  /** A correction that was not applied, because other words are as near; null when there is none. */
  readonly offered: string | null
  /** Words that no listing has. */
  readonly missing: readonly string[]
}

/**
 * Searches the local listings, and adds the directory's results for the same words before those with only some words:
 * their matches may be in texts that exist only there.
 *
 * @param sort null: in the order in which they are found
 * @param passing returns the entries that pass the filters
 * @param total number of all listings, when `entries` are only those with a term
 */
export function searchWith(
  entries: readonly Entry[],
  terms: readonly string[],
  {
    more,
    sort,
    ...options
  }: {
    readonly more: readonly Entry[]
    readonly sort: Sort | null
    readonly passing: () => readonly Entry[]
    readonly total?: number
  },
): SearchResult {
  const result = search(entries, terms, options)
  if (terms.length === 0) return result
  const isElsewhere = new Set(more)
  const partial = new Map([...result.partial].filter(([entry]) => !isElsewhere.has(entry)))
  const complete = new Set([...result.entries.filter((entry) => !result.partial.has(entry)), ...more])
  const groups = [[...complete], [...partial.keys()]]
  return {
    ...result,
    partial,
    missing: more.length > 0 ? [] : result.missing,
    entries: groups.flatMap((group) => (sort === null ? group : ordered(group, sort))),
  }
}

/**
 * Applies the filters to what was found. A plugin that was named passes the filter by install check, with its verdict:
 * who types a name wants that plugin.
 */
export function filterFound(
  index: FacetIndex,
  { entries, named }: Pick<SearchResult, 'entries' | 'named'>,
  { filters, profile }: { readonly filters: Filters; readonly profile: ProfileFacts },
) {
  const { entries: passed, unchecked, counts } = index.filter(entries, filters, profile)
  const wanted = unchecked.filter((entry) => named.has(entry))
  if (wanted.length === 0) return { entries: passed, counts, hidden: unchecked.length }
  const shown = new Set([...passed, ...wanted])
  return { entries: entries.filter((entry) => shown.has(entry)), counts, hidden: unchecked.length - wanted.length }
}

export interface LocalListings {
  /** Every listing. */
  readonly rows: readonly StoreListing[]
  readonly status: { readonly count: number }
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
  const asked = { query, terms, total: local.status.count }
  if (terms.length === 0) return findIn(local.rows, asked, options).found
  // Most listings have none of the terms. They are parsed only for a correction, which takes its words from all of them.
  const { found, absent } = findIn(local.rowsWhere(textFilter(terms)), asked, options)
  return absent.length > 0 ? findIn(local.rows, asked, options).found : found
}

function findIn(
  rows: readonly StoreListing[],
  { query, terms, total }: { readonly query: Query; readonly terms: readonly string[]; readonly total: number },
  { profile, more = [] }: { readonly profile: ProfileFacts; readonly more?: readonly StoreListing[] },
): { readonly found: Found } & Pick<SearchResult, 'absent'> {
  const index = createFacetIndex()
  const byId = new Map([...rows, ...more].map((row) => [row.id, entryOf(row, index)]))
  const entries = ordered([...byId.values()], query.sort ?? 'stars')
  const result = searchWith(entries, terms, {
    more: more.flatMap(({ id }) => byId.get(id) ?? []),
    sort: query.sort,
    passing: () => index.filter(entries, query, profile).entries,
    total: Math.max(total, entries.length),
  })
  const { entries: shown, hidden } = filterFound(index, result, { filters: query, profile })
  const found: Found = {
    listings: shown.map(({ listing }) => listing),
    hidden,
    hasEveryWord: terms.length < 2 || shown.some((entry) => !result.partial.has(entry)),
    found: new Map([...result.partial].map(([{ listing }, terms]) => [listing.id, terms])),
    meant: result.corrected && renderWords(result.corrected),
    offered: result.offered && renderWords(result.offered),
    missing: result.missing,
  }
  return { found, absent: result.absent }
}

const byName = (a: Entry, b: Entry) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
const newest = (a: string | null, b: string | null) => byText(b ?? '', a ?? '')

/** Every order has its words in `messages/en/finding.ts`. Unknown values come last. */
const ORDERS: Readonly<Record<Exclude<Sort, 'stars'>, (a: Entry, b: Entry) => number>> = {
  name: (a, b) => byName(a, b) || byText(a.listing.id, b.listing.id),
  pushed: (a, b) => newest(a.listing.pushedAt, b.listing.pushedAt) || byName(a, b),
  checked: (a, b) => newest(a.listing.checkedAt, b.listing.checkedAt) || byName(a, b),
}

export const ordered = (entries: readonly Entry[], sort: Sort): Entry[] =>
  sort === 'stars' ? orderedByStars(entries) : entries.toSorted(ORDERS[sort])

/**
 * Orders by stars. Parts of one repository share its stars, so they come after the plugins that are a whole one; among
 * them, the second of a repository counts half of its stars, the third a third, and so on. Unknown numbers come last.
 */
function orderedByStars(entries: readonly Entry[]): Entry[] {
  const places = new Map<string, number>()
  const share = new Map<Entry, number>()
  for (const entry of entries.toSorted(byName)) {
    const { id, stars } = entry.listing
    const isPart = isPartOfRepository(id)
    const key = repositoryKey(id)
    const place = isPart ? (places.get(key) ?? 0) + 1 : 1
    if (isPart) places.set(key, place)
    share.set(entry, stars === null ? -1 : stars / place)
  }
  const group = ({ listing: { id, stars } }: Entry) => (stars === null ? 2 : Number(isPartOfRepository(id)))
  return entries.toSorted((a, b) => group(a) - group(b) || share.get(b)! - share.get(a)! || byName(a, b))
}

/**
 * Characters that `fold` may replace by others. It keeps ASCII apart from case, Chinese characters with their usual
 * punctuation, arrows and most emoji.
 */
const FOLDED =
  '[^\\0-\\x7f\\u2010-\\u2027\\u2190-\\u21ff\\u2500-\\u27bf\\u3001-\\u303f\\u3400-\\u9fff\\ufe0f\\uff01\\uff08\\uff09\\uff0c\\uff1a\\uff1b\\uff1f\\ud83d\\ud83e\\udc00-\\udfff]'

/**
 * Creates a test for the JSON text of a listing, so that a search parses few of 20,000 listings. It is false only for
 * listings that have none of the terms.
 *
 * @param terms as `termsOf` returns them
 */
export function textFilter(terms: readonly string[]): (json: string) => boolean {
  const texts = terms.flatMap((term) => {
    return [
      inJson(singularOf(term)),
      ...CATEGORIES.filter((id) => matchesLabel(categoryLabels(id), term)).map(
        (id) => `"category":${JSON.stringify(id)}`,
      ),
      ...RISK_FLAGS.filter((flag) => matchesLabel(riskLabels([flag]), term)).map((flag) => JSON.stringify(flag)),
    ]
  })
  const pattern = new RegExp([FOLDED, ...texts.map(escaped)].join('|'), 'i')
  return (json) => pattern.test(json)
}

/** Returns a text as it is within a JSON string. */
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)

/** Escapes a text for a regular expression. Node has `RegExp.escape` only since version 24. */
const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
