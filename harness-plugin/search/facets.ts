import { CATEGORIES, isCategory, nameParts, RISK_FLAGS } from '@plugmark/shared/contract'
import type { ContractMessages } from '@plugmark/shared/i18n'
import type { Messages } from '../messages/index.ts'
import type { StoreListing } from '../protocol/index.ts'

/** Every facet has its words in `messages/en/facets.ts`, by this id. */
export type FacetId = keyof Messages['facets']
/** What is typed before a value, as in `category:memory`. */
export type Key = keyof Messages['keys']
export type Sort = keyof Messages['finding']['sorts']

/** Facts of a profile and its harness, by ids of listings. */
export interface ProfileFacts {
  readonly installed: ReadonlySet<string>
  readonly updatable: ReadonlySet<string>
  /** Listings of which it is known whether they fit the harness. */
  readonly fits?: ReadonlyMap<string, boolean>
}

export interface Facet {
  /** Its key in a query and in an address. Facets may share one as long as no value is in both. */
  readonly key: Exclude<Key, 'sort'>
  /** `one` value is chosen, always; or several, of which a listing must have `any`, or `every` one. */
  readonly choice: 'one' | 'any' | 'every'
  /** The values that are known, in the order in which they are shown. */
  readonly values: readonly string[]
  /** Listings bring values that are not known. Of any other facet, such a value is not understood in a query. */
  readonly isOpen?: boolean
  /** Only values that listings have are shown, the most frequent first. */
  readonly isByCount?: boolean
  /** What is chosen as long as a person chooses nothing. */
  readonly initial?: string
  /** True when it has too many values for a list of them: it is typed, or chosen in the details. */
  readonly isTyped?: boolean
  /** Whether its values change with the profile. */
  readonly isOfProfile?: boolean
  /** Reads the values of a listing; none where they are not known, as its record is not here. */
  readonly valuesOf: (listing: StoreListing, profile: ProfileFacts) => readonly string[]
  /** Names a value that has no message of its own. Without it, such a value is shown as it is. */
  readonly nameOf?: (value: string, contract: ContractMessages) => string
}

/** Stand for listings without a known category, and without risk flags, a licence or a language. */
export const OTHER_CATEGORY = 'other'
export const NONE = 'none'

const described = (listing: StoreListing, values: readonly string[]) => (listing.described ? values : [])

/** Every facet that narrows a list, in the order in which they are shown. */
export const FACETS: Readonly<Record<FacetId, Facet>> = {
  verdict: {
    key: 'is',
    choice: 'one',
    values: ['passed', 'needs-approval', 'all'],
    initial: 'passed',
    valuesOf: ({ verdict }) => (verdict === 'passed' || verdict === 'needs-approval' ? [verdict, 'all'] : ['all']),
  },
  traits: {
    key: 'is',
    choice: 'every',
    values: ['installable', 'installed', 'updatable'],
    isOfProfile: true,
    valuesOf: ({ id, installable }, { installed, updatable }) => [
      ...(installable ? ['installable'] : []),
      ...(installed.has(id) ? ['installed'] : []),
      ...(updatable.has(id) ? ['updatable'] : []),
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
    values: [NONE, ...RISK_FLAGS],
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
}

export const FACET_IDS = Object.keys(FACETS) as readonly FacetId[]

/** One value for each facet. */
export const byFacet = <T>(make: (id: FacetId, facet: Facet) => T): Readonly<Record<FacetId, T>> =>
  Object.fromEntries(FACET_IDS.map((id) => [id, make(id, FACETS[id])])) as Record<FacetId, T>

/** What is chosen of each facet. */
export interface Filters extends Readonly<Record<FacetId, readonly string[]>> {
  /** Null: the best match first when there are words, else by stars. */
  readonly sort: Sort | null
}

/** What the store opens with: all that passed, by stars. */
export const DEFAULT_FILTERS: Filters = {
  ...byFacet((_, { initial }) => (initial === undefined ? [] : [initial])),
  sort: null,
}

/** Case and width of a value do not count. */
export const foldValue = (text: string): string => text.normalize('NFKC').toLowerCase()

export const isSameValue = (a: string, b: string): boolean => a === b || foldValue(a) === foldValue(b)

export function union(list: readonly string[], more: readonly string[]): readonly string[] {
  const fresh = more.filter((value) => !list.some((one) => isSameValue(one, value)))
  return fresh.length === 0 ? list : [...list, ...fresh]
}

/** What is chosen of a facet once a value of it is chosen, or taken away when it was. */
export function toggled(filters: Filters, id: FacetId, value: string): readonly string[] {
  if (FACETS[id].choice === 'one') return [value]
  const without = filters[id].filter((one) => !isSameValue(one, value))
  return without.length < filters[id].length ? without : [...filters[id], value]
}

/** A value that narrows the list, and the filters without it. */
export interface ChosenValue {
  readonly id: FacetId
  readonly value: string
  readonly without: Filters
}

/** Everything that is chosen besides the default, one by one. An order narrows nothing. */
export const chosenValues = (filters: Filters): ChosenValue[] =>
  FACET_IDS.flatMap((id) =>
    filters[id]
      .filter((value) => value !== FACETS[id].initial)
      .map((value) => {
        const rest = FACETS[id].choice === 'one' ? DEFAULT_FILTERS[id] : toggled(filters, id, value)
        return { id, value, without: { ...filters, [id]: rest } }
      }),
  )

/** The filters of a list as it opens; its order stays. */
export const clearedFilters = ({ sort }: Filters): Filters => ({ ...DEFAULT_FILTERS, sort })

/** A value as a person reads it. */
export interface NamedValue {
  readonly value: string
  readonly name: string
}

/** What a value of a facet is called. */
export function valueName(id: FacetId, value: string, t: Pick<Messages, 'facets' | 'contract'>): string {
  const { values = {} }: { readonly title: string; readonly values?: Readonly<Record<string, string>> } = t.facets[id]
  // A listing may bring a value such as `constructor`.
  return Object.hasOwn(values, value) ? values[value]! : (FACETS[id].nameOf?.(value, t.contract) ?? value)
}

/** The values of a facet as they are shown, with how many listings each would show. */
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
