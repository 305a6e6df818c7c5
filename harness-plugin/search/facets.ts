import { CATEGORIES, countsAsInstallable, isCategory, nameParts, RISK_FLAGS } from '@plugmark/shared/contract'
import type { ContractMessages } from '@plugmark/shared/i18n'
import type { Messages } from '../messages/index.ts'
import type { StoreListing } from '../protocol/index.ts'

/** Id of a facet. Its words are in `messages/en/finding.ts` under the same id. */
export type FacetId = keyof Messages['facets']
/** The part before the colon in a query, as in `category:memory`. */
export type Key = keyof Messages['keys']
export type Sort = keyof Messages['finding']['sorts']

export const SORTS: readonly Sort[] = ['stars', 'pushed', 'checked', 'name']

/** Facts of a profile and its harness, by ids of listings. */
export interface ProfileFacts {
  readonly installed: ReadonlySet<string>
  readonly updatable: ReadonlySet<string>
  /** Listings that the directory did not have when the user last looked. */
  readonly unseen?: ReadonlySet<string>
  /** Listings that are known to fit the harness, or known not to. */
  readonly fits?: ReadonlyMap<string, boolean>
}

interface Facet {
  /** Its key in a query and in an address. Facets may share one as long as no value is in both. */
  readonly key: Exclude<Key, 'sort'>
  /** Exactly `one` value is chosen; or several, of which a listing must have `any`, or `every` one. */
  readonly choice: 'one' | 'any' | 'every'
  /** The known values, in the order in which they are shown. */
  readonly values: readonly string[]
  /** True if listings may have other values. A query refuses an unknown value of any other facet. */
  readonly isOpen?: boolean
  /** True to show only values that listings have, the most frequent first. */
  readonly isByCount?: boolean
  /** The value that applies until another is chosen. */
  readonly initial?: string
  /** True when it has too many values for a list: they are typed, or chosen in the details. */
  readonly isTyped?: boolean
  /** True if its values depend on the profile. */
  readonly isOfProfile?: boolean
  /** Reads the values of a listing; none while its record is missing. */
  readonly valuesOf: (listing: StoreListing, profile: ProfileFacts) => readonly string[]
  /** Reads the number or the date that a chosen value bounds, such as `>1000`; null when it is unknown. */
  readonly boundedOf?: (listing: StoreListing) => number | string | null
  /** Names a value that has no message. Without this function, the screen shows the value itself. */
  readonly nameOf?: (value: string, contract: ContractMessages) => string
}

/** Values for listings without a known category, and without risk flags, a licence or a language. */
export const OTHER_CATEGORY = 'other'
export const NONE = 'none'

const described = (listing: StoreListing, values: readonly string[]) => (listing.described ? values : [])

/** A facet whose values are bounds: `>1000`, `<=2026-08` or `..2026-08`. Without a sign, a value is the least. */
const BOUNDS = { choice: 'every', values: [], isTyped: true, valuesOf: () => [] } as const

/** Every facet, in the order in which they are shown. */
export const FACETS: Readonly<Record<FacetId, Facet>> = {
  verdict: {
    key: 'is',
    choice: 'one',
    values: ['installs', 'passed', 'needs-approval', 'all'],
    initial: 'installs',
    valuesOf: ({ verdict }) => (countsAsInstallable(verdict) ? ['installs', verdict!, 'all'] : ['all']),
  },
  traits: {
    key: 'is',
    choice: 'every',
    values: ['installable', 'installed', 'updatable', 'new'],
    isOfProfile: true,
    valuesOf: ({ id, installable }, { installed, updatable, unseen }) => [
      ...(installable ? ['installable'] : []),
      ...(installed.has(id) ? ['installed'] : []),
      ...(updatable.has(id) ? ['updatable'] : []),
      ...(unseen?.has(id) ? ['new'] : []),
    ],
  },
  fits: {
    key: 'fits',
    choice: 'any',
    values: ['yes', 'no', 'unknown'],
    isOfProfile: true,
    valuesOf: ({ id }, { fits }) => {
      const isFitting = fits?.get(id)
      return [isFitting === undefined ? 'unknown' : isFitting ? 'yes' : 'no']
    },
  },
  category: {
    key: 'category',
    choice: 'any',
    values: [...CATEGORIES, OTHER_CATEGORY],
    valuesOf: ({ category }) => [isCategory(category) ? category : OTHER_CATEGORY],
    nameOf: (value, contract) => contract.category(value),
  },
  risk: {
    key: 'risk',
    choice: 'any',
    values: [...RISK_FLAGS, NONE],
    isOpen: true,
    valuesOf: (listing) => described(listing, listing.riskFlags.length > 0 ? listing.riskFlags : [NONE]),
    nameOf: (value, contract) => contract.riskFlag(value).name,
  },
  license: {
    key: 'license',
    choice: 'any',
    values: [NONE],
    isOpen: true,
    isByCount: true,
    valuesOf: (listing) => described(listing, [listing.license ?? NONE]),
  },
  language: {
    key: 'language',
    choice: 'any',
    values: [NONE],
    isOpen: true,
    isByCount: true,
    valuesOf: (listing) => described(listing, [listing.language ?? NONE]),
  },
  owner: {
    key: 'owner',
    choice: 'any',
    values: [],
    isOpen: true,
    isTyped: true,
    isByCount: true,
    valuesOf: ({ id }) => [nameParts(id).owner.toLowerCase()],
  },
  stars: { ...BOUNDS, key: 'stars', boundedOf: ({ stars }) => stars },
  pushed: { ...BOUNDS, key: 'pushed', boundedOf: ({ pushedAt }) => pushedAt },
}

export const FACET_IDS = Object.keys(FACETS) as readonly FacetId[]

/** Creates one value for each facet. */
export const byFacet = <T>(make: (id: FacetId, facet: Facet) => T): Readonly<Record<FacetId, T>> =>
  Object.fromEntries(FACET_IDS.map((id) => [id, make(id, FACETS[id])])) as Record<FacetId, T>

/** The chosen values of each facet. */
export interface Filters extends Readonly<Record<FacetId, readonly string[]>> {
  /** Null for the default: the best match first when there are words, else by stars. */
  readonly sort: Sort | null
}

/** The filters when the store opens: all plugins that install, by stars. */
export const DEFAULT_FILTERS: Filters = {
  ...byFacet((_, { initial }) => (initial === undefined ? [] : [initial])),
  sort: null,
}

/** Folds case and width of a value, for comparison. */
export const foldValue = (text: string): string => text.normalize('NFKC').toLowerCase()

export const isSameValue = (a: string, b: string): boolean => a === b || foldValue(a) === foldValue(b)

export function union(list: readonly string[], more: readonly string[]): readonly string[] {
  const fresh = more.filter((value) => !list.some((one) => isSameValue(one, value)))
  return fresh.length === 0 ? list : [...list, ...fresh]
}

/** Returns the chosen values of a facet after adding a value, or after removing it when it was chosen. */
export function toggled(filters: Filters, id: FacetId, value: string): readonly string[] {
  if (FACETS[id].choice === 'one') return [value]
  const without = filters[id].filter((one) => !isSameValue(one, value))
  return without.length < filters[id].length ? without : [...filters[id], value]
}

/** A chosen value, and the filters without it. */
export interface ChosenValue {
  readonly id: FacetId
  readonly value: string
  readonly without: Filters
}

/** Returns every chosen value that is not a default. The order is not a filter. */
export const chosenValues = (filters: Filters): ChosenValue[] =>
  FACET_IDS.flatMap((id) =>
    filters[id]
      .filter((value) => value !== FACETS[id].initial)
      .map((value) => {
        const rest = FACETS[id].choice === 'one' ? DEFAULT_FILTERS[id] : toggled(filters, id, value)
        return { id, value, without: { ...filters, [id]: rest } }
      }),
  )

/** Returns the default filters, with the same order. */
export const clearedFilters = ({ sort }: Filters): Filters => ({ ...DEFAULT_FILTERS, sort })

/** A value with its name on the screen. */
export interface NamedValue {
  readonly value: string
  readonly name: string
}

/** Returns the name of a facet's value. */
export function valueName(id: FacetId, value: string, t: Pick<Messages, 'facets' | 'contract'>): string {
  const { values = {} }: { readonly title: string; readonly values?: Readonly<Record<string, string>> } = t.facets[id]
  // A listing may have a value such as `constructor`.
  return Object.hasOwn(values, value) ? values[value]! : (FACETS[id].nameOf?.(value, t.contract) ?? value)
}

/** Returns the values of a facet that are shown, each with the number of listings that it would show. */
export function facetValues(
  id: FacetId,
  counts: ReadonlyMap<string, number>,
  t: Pick<Messages, 'facets' | 'contract'>,
): (NamedValue & { readonly count: number })[] {
  const { values, isByCount } = FACETS[id]
  const all = isByCount ? [...counts.keys()] : [...new Set([...values, ...counts.keys()])]
  const named = all.map((value) => ({ value, name: valueName(id, value, t), count: counts.get(value) ?? 0 }))
  return isByCount ? named.toSorted((a, b) => b.count - a.count) : named
}

/** Number of listings that each value of each facet would show, if only that facet were changed. */
export type Counts = Readonly<Record<FacetId, ReadonlyMap<string, number>>>

/** A listing with its values of each facet. */
export interface IndexedValue {
  readonly listing: StoreListing
  /** In the order of `FACET_IDS`; empty before they are read. */
  values: (readonly string[])[]
  /** The profile that the values are for; null before they are read. */
  profile: ProfileFacts | null
}

export const NO_PROFILE: ProfileFacts = { installed: new Set(), updatable: new Set() }

/** Filters listings by their facets, and counts their values. */
export class FacetIndex {
  /** Every value that a listing had so far: a value with no result is still counted, as 0. */
  readonly #seen = byFacet((_, { choice, values }) => new Set(choice === 'every' ? values : []))

  /** Reads the values of an entry. `filter` reads those that were not added. */
  add(entry: IndexedValue, profile: ProfileFacts = NO_PROFILE): void {
    if (entry.profile === profile) return
    entry.values = FACET_IDS.map((id, at) => {
      if (entry.profile !== null && !FACETS[id].isOfProfile) return entry.values[at]!
      const values = FACETS[id].valuesOf(entry.listing, profile)
      for (const value of values) this.#seen[id].add(value)
      return values
    })
    entry.profile = profile
  }

  /**
   * Returns the entries that pass every facet, those that only the install check excludes, and the counts: an entry
   * counts for a facet when it passes all others. This runs at every key press, over every listing.
   *
   * @param exempt entries that pass the install check with any verdict
   */
  filter<T extends IndexedValue>(
    entries: readonly T[],
    filters: Filters,
    profile: ProfileFacts,
    exempt: ReadonlySet<T> = new Set(),
  ): { readonly entries: readonly T[]; readonly unchecked: readonly T[]; readonly counts: Counts } {
    for (const entry of entries) this.add(entry, profile)
    const counts = byFacet((id) => new Map(Array.from(this.#seen[id], (value) => [value, 0])))
    const facets = FACET_IDS.map((id, at) => ({
      id,
      at,
      counts: counts[id],
      required: requirement(id, filters[id]),
      bounds: boundsOf(id, filters[id]),
    }))
    const passed: T[] = []
    const unchecked: T[] = []
    for (const entry of entries) {
      const failing = facets.filter(
        ({ id, at, required, bounds }) =>
          !(id === 'verdict' && exempt.has(entry)) &&
          (!required(entry.values[at]!) || !bounds.every((holds) => holds(entry.listing))),
      )
      const [only] = failing
      if (failing.length > 1) continue
      if (only === undefined) passed.push(entry)
      else if (only.id === 'verdict') unchecked.push(entry)
      // Where every value is required, no other value would show a listing that lacks one.
      else if (FACETS[only.id].choice === 'every') continue
      for (const { at, counts } of only ? failing : facets)
        for (const value of entry.values[at]!) counts.set(value, counts.get(value)! + 1)
    }
    return { entries: passed, unchecked, counts }
  }
}

/** Returns a test of a listing's values of a facet: it has one of the chosen values, or each. Case and width do not matter. */
function requirement(id: FacetId, chosen: readonly string[]): (values: readonly string[]) => boolean {
  const { boundedOf, choice } = FACETS[id]
  if (boundedOf || chosen.length === 0) return () => true
  const wanted = new Set(chosen.map(foldValue))
  const folded = new Map<string, string>()
  const fold = (value: string) => {
    const known = folded.get(value) ?? foldValue(value)
    folded.set(value, known)
    return known
  }
  if (choice !== 'every') return (values) => values.some((value) => wanted.has(fold(value)))
  return (values) => {
    const had = new Set(values.map(fold))
    return [...wanted].every((value) => had.has(value))
  }
}

/** Returns a test of an entry: it passes every facet. For a few entries, which it reads one by one. */
export function passing(filters: Filters, profile: ProfileFacts): (entry: Pick<IndexedValue, 'listing'>) => boolean {
  const tests = FACET_IDS.filter((id) => filters[id].length > 0).map((id) => {
    const isRequired = requirement(id, filters[id])
    const bounds = boundsOf(id, filters[id])
    return (listing: StoreListing) =>
      isRequired(FACETS[id].valuesOf(listing, profile)) && bounds.every((holds) => holds(listing))
  })
  return ({ listing }) => tests.every((holds) => holds(listing))
}

const BOUND = /^([<>]=?)?(\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?|\d+k?)$/

/** Returns a typed bound as it is kept; null when it is not one for this facet. */
export function readBound(id: FacetId, typed: string): string | null {
  // No shell takes these for anything else.
  const text = foldValue(typed)
    .replace(/^(.+)(?:\.\.|\+)$/, '>=$1')
    .replace(/^\.\.(?=\d)/, '<=')
  const [, , value = ''] = BOUND.exec(text) ?? []
  const isRight = id === 'pushed' ? /^\d{4}(?:-|$)/.test(value) : /^\d+k?$/.test(value)
  return FACETS[id].boundedOf && isRight ? text : null
}

/** Returns a test of a listing for each chosen bound. What is unknown passes none. */
function boundsOf(id: FacetId, chosen: readonly string[]): readonly ((listing: StoreListing) => boolean)[] {
  const { boundedOf } = FACETS[id]
  if (!boundedOf) return []
  return chosen.map((bound) => {
    const [, sign = '>=', value = ''] = BOUND.exec(bound) ?? []
    return (listing) => {
      const known = boundedOf(listing)
      if (known === null) return false
      // A bound may be a month or a year, of which a date is a part.
      const order =
        typeof known === 'string'
          ? compare(known.slice(0, value.length), value)
          : compare(known, Number.parseInt(value, 10) * (value.endsWith('k') ? 1000 : 1))
      return (sign.endsWith('=') && order === 0) || (sign.startsWith('>') ? order > 0 : order < 0)
    }
  })
}

const compare = (a: number | string, b: number | string): number => (a < b ? -1 : a > b ? 1 : 0)
