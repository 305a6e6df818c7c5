import { isDoubtful, repositoryKey } from '@plugmark/shared/contract'
import type { Locale } from '@plugmark/shared/i18n'
import type { Fits, StoreListing } from '../protocol/index.ts'
import { type Entry, entryOf } from './entry.ts'
import { FacetIndex, type Filters, type ProfileFacts, passing, type Sort } from './facets.ts'
import { isPartOfRepository } from './listings.ts'
import { nearFilters, problemTexts, type Query, renderWords, withoutUnknownTraits } from './query.ts'
import { type Reader, type SearchResult, search } from './search.ts'
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
  /** A correction of words or of a filter that was not applied, because it is not certain; null when there is none. */
  readonly offered: string | null
  /** Words that no listing has. */
  readonly missing: readonly string[]
  /** Parts of the query that are not understood here. */
  readonly problems: readonly string[]
}

/**
 * Searches the local listings, and adds the directory's results for the same words before those with only some words:
 * their matches may be in texts that exist only there.
 *
 * @param sort null: in the order in which they are found
 */
export function searchWith(
  entries: readonly Entry[],
  terms: readonly string[],
  {
    more,
    sort,
    ...reader
  }: Reader & {
    readonly more: readonly Entry[]
    readonly sort: Sort | null
  },
): SearchResult {
  const result = search(entries, terms, reader)
  if (terms.length === 0) return result
  const isElsewhere = new Set(more)
  const partial = new Map([...result.partial].filter(([entry]) => !isElsewhere.has(entry)))
  const complete = new Set([...result.entries.filter((entry) => !result.partial.has(entry)), ...more])
  const groups = [[...complete], [...partial.keys()]]
  return {
    ...result,
    partial,
    missing: more.length > 0 ? [] : result.missing,
    entries: groups.flatMap((group) => (sort === null ? installableFirst(group, result.whole) : ordered(group, sort))),
  }
}

/** Puts what cannot be installed below what can, unless its whole name was typed. */
function installableFirst(entries: readonly Entry[], whole: ReadonlySet<Entry>): Entry[] {
  const isFirst = (entry: Entry) =>
    whole.has(entry) || (entry.listing.installable && !isDoubtful(entry.listing.verdict))
  return [...entries.filter(isFirst), ...entries.filter((entry) => !isFirst(entry))]
}

/**
 * Applies the filters to what was found. A plugin passes the filter by install check with any verdict if its whole name
 * was typed; or if its name was begun, and no other that passes has every word.
 */
export function filterFound(
  index: FacetIndex,
  { entries, partial, named, whole }: Pick<SearchResult, 'entries' | 'partial' | 'named' | 'whole'>,
  { filters, profile }: { readonly filters: Filters; readonly profile: ProfileFacts },
) {
  const found = index.filter(entries, filters, profile, whole)
  const isBegun = found.unchecked.some((entry) => named.has(entry))
  return isBegun && found.entries.every((entry) => partial.has(entry))
    ? index.filter(entries, filters, profile, named)
    : found
}

/** Facts that a search knows besides the listings. */
export interface SearchFacts<More> extends Partial<Pick<ProfileFacts, 'installed' | 'fits' | 'unseen'>> {
  /** False to hide none, because it is not known which listings passed. @default true */
  readonly verdictsKnown?: boolean
  /** The directory's results for the same words. */
  readonly more?: readonly More[]
  /** The reader's language. */
  readonly locale?: Locale
}

/** Reads what a query asks of profiles, and nothing else. The screen keeps both. */
export const readProfileFacts = async (
  { traits, fits }: Query,
  read: {
    installed(): ReadonlySet<string> | Promise<ReadonlySet<string>>
    fits(): Promise<Pick<Fits, 'fits'>>
    unseen?(): Promise<ReadonlySet<string>>
  },
): Promise<Partial<Pick<ProfileFacts, 'installed' | 'fits' | 'unseen'>>> => ({
  ...(traits.includes('installed') && { installed: await read.installed() }),
  ...(traits.includes('new') && read.unseen && { unseen: await read.unseen() }),
  ...(fits.length > 0 && { fits: new Map((await read.fits()).fits) }),
})

/** Finds listings as the screen does, for an agent or a command line that searches once. */
export function findListings(
  rows: readonly StoreListing[],
  query: Query,
  { more = [], ...given }: SearchFacts<StoreListing> = {},
): Found {
  const entries = entriesOf([...rows, ...more])
  const ids = new Set(more.map(({ id }) => id))
  return findEntries(entries, query, { ...given, more: entries.filter(({ listing }) => ids.has(listing.id)) })
}

/** Returns an entry of each listing, in the order by stars. */
export const entriesOf = (rows: readonly StoreListing[]): readonly Entry[] =>
  ordered([...new Map(rows.map((row) => [row.id, row])).values()].map(entryOf), 'stars')

/** Replaces the entries of listings of which more is known now. */
export function mergeEntries(entries: readonly Entry[], rows: readonly StoreListing[]): readonly Entry[] {
  const ids = new Set(rows.map(({ id }) => id))
  return ordered([...entries.filter(({ listing }) => !ids.has(listing.id)), ...rows.map(entryOf)], 'stars')
}

/** Finds listings as `findListings` does. @param inOrder entries in the order by stars */
export function findEntries(inOrder: readonly Entry[], typed: Query, given: SearchFacts<Entry> = {}): Found {
  const { installed = new Set(), fits = new Map(), unseen, verdictsKnown = true, more = [], locale = null } = given
  const profile = { installed, fits, updatable: new Set<string>(), ...(unseen && { unseen }) }
  const known = withoutUnknownTraits(typed, { knowsNew: unseen !== undefined })
  const query = verdictsKnown ? known : { ...known, verdict: ['all'] }
  const terms = termsOf(query.words)
  const index = new FacetIndex()
  const entries = query.sort === null || query.sort === 'stars' ? inOrder : ordered(inOrder, query.sort)
  const result = searchWith(entries, terms, {
    more,
    sort: query.sort,
    isShown: passing(query, profile),
    locale,
  })
  const { entries: shown, unchecked } = filterFound(index, result, { filters: query, profile })
  return {
    listings: shown.map(({ listing }) => listing),
    hidden: unchecked.length,
    hasEveryWord: terms.length < 2 || shown.some((entry) => !result.partial.has(entry)),
    found: new Map([...result.partial].map(([{ listing }, terms]) => [listing.id, terms])),
    meant: result.corrected && renderWords(result.corrected),
    offered: [result.offered && renderWords(result.offered), nearFilters(query)].filter(Boolean).join(' ') || null,
    missing: result.missing,
    problems: problemTexts(query),
  }
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
  const shares = new Map<Entry, number>()
  for (const entry of entries.filter(({ listing }) => isPartOfRepository(listing.id)).toSorted(byName)) {
    const { id, stars } = entry.listing
    const place = (places.get(repositoryKey(id)) ?? 0) + 1
    places.set(repositoryKey(id), place)
    shares.set(entry, (stars ?? 0) / place)
  }
  return entries
    .map((entry) => {
      const { stars } = entry.listing
      const share = shares.get(entry)
      const group = stars === null ? 2 : share === undefined ? 0 : 1
      return { entry, group, share: stars === null ? 0 : (share ?? stars) }
    })
    .sort((a, b) => a.group - b.group || b.share - a.share || byName(a.entry, b.entry))
    .map(({ entry }) => entry)
}
