/** What a list can be narrowed and ordered by, as it is typed: `category:memory`. */
export const KEYS = ['category', 'risk', 'license', 'is', 'sort'] as const
export type Key = (typeof KEYS)[number]

/** `all` is every verdict, and none. */
export const VERDICT_FILTERS = ['passed', 'needs-approval', 'all'] as const
export type VerdictFilter = (typeof VERDICT_FILTERS)[number]
export const TRAITS = ['installable', 'installed', 'updatable'] as const
export type Trait = (typeof TRAITS)[number]
export const SORTS = ['stars', 'name', 'checked'] as const
export type Sort = (typeof SORTS)[number]

/** Stands for listings without a known category, without risk flags, or without a licence. */
export const OTHER_CATEGORY = 'other'
export const NONE = 'none'

/** What is chosen. Values of one facet are alternatives; facets must all hold. */
export interface Filters {
  readonly category: readonly string[]
  readonly risk: readonly string[]
  readonly license: readonly string[]
  readonly verdict: VerdictFilter
  readonly traits: readonly Trait[]
  /** Null: the best match first when there are words, else by stars. */
  readonly sort: Sort | null
}

/** What the store opens with: all that passed, by stars. */
export const DEFAULT_FILTERS: Filters = {
  category: [],
  risk: [],
  license: [],
  verdict: 'passed',
  traits: [],
  sort: null,
}

const fold = (text: string) => text.normalize('NFKC').toLowerCase()

/** Licences are compared folded. */
export const union = <T extends string>(list: readonly T[], more: readonly T[]): readonly T[] => {
  const fresh = more.filter((value) => !list.some((one) => fold(one) === fold(value)))
  return fresh.length === 0 ? list : [...list, ...fresh]
}

/** The list with the value in it, or without it when it was. */
export function toggled<T extends string>(list: readonly T[], value: T): readonly T[] {
  const without = list.filter((one) => fold(one) !== fold(value))
  return without.length < list.length ? without : [...list, value]
}

/** A value that narrows the list, and the filters without it. */
export interface ChosenValue {
  readonly key: Exclude<Key, 'sort'>
  readonly value: string
  readonly without: Filters
}

/** Everything that is chosen besides the default, one by one. An order narrows nothing. */
export function chosenValues(filters: Filters): ChosenValue[] {
  const { verdict, traits } = filters
  return [
    ...(verdict === DEFAULT_FILTERS.verdict
      ? []
      : [{ key: 'is' as const, value: verdict, without: { ...filters, verdict: DEFAULT_FILTERS.verdict } }]),
    ...traits.map((value) => ({ key: 'is' as const, value, without: { ...filters, traits: toggled(traits, value) } })),
    ...(['category', 'risk', 'license'] as const).flatMap((key) =>
      filters[key].map((value) => ({ key, value, without: { ...filters, [key]: toggled(filters[key], value) } })),
    ),
  ]
}

/** The filters of a list as it opens; its order stays. */
export const clearedFilters = ({ sort }: Filters): Filters => ({ ...DEFAULT_FILTERS, sort })
