import { CATEGORIES, RISK_FLAGS } from '@plugmark/shared/contract'
import { quoted, tokensOf } from './tokens.ts'

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

/** A part of a query that means nothing here; it filters nothing. */
export interface Problem {
  readonly kind: 'key' | 'value'
  readonly key: string
  /** The values that mean nothing; for a key, all of them. */
  readonly values: readonly string[]
}

/** What is looked for. Values of one filter are alternatives; filters and words must all hold. */
export interface Query {
  readonly words: readonly string[]
  readonly category: readonly string[]
  readonly risk: readonly string[]
  readonly license: readonly string[]
  readonly verdict: VerdictFilter
  readonly traits: readonly Trait[]
  /** Null: the best match first when there are words, else by stars. */
  readonly sort: Sort | null
  readonly problems: readonly Problem[]
}

/** What the store opens with: all that passed, by stars. */
export const DEFAULT_QUERY: Query = {
  words: [],
  category: [],
  risk: [],
  license: [],
  verdict: 'passed',
  traits: [],
  sort: null,
  problems: [],
}

/** Other ways to write a key. */
const ALIASES: Readonly<Record<string, Key>> = {
  licence: 'license',
  分类: 'category',
  类别: 'category',
  风险: 'risk',
  许可证: 'license',
  许可: 'license',
  状态: 'is',
  排序: 'sort',
}

const fold = (text: string) => text.normalize('NFKC').toLowerCase()

export function keyOf(typed: string): Key | null {
  const folded = fold(typed)
  return KEYS.find((key) => key === folded) ?? ALIASES[folded] ?? null
}

/** The value a filter knows this by, or null. Licences and risk flags are open: the directory has newer ones. */
function valueFor(key: Key, typed: string): string | null {
  const folded = fold(typed)
  const oneOf = (known: readonly string[]) => known.find((value) => value === folded) ?? null
  if (key === 'category') return oneOf([...CATEGORIES, OTHER_CATEGORY])
  if (key === 'risk') return RISK_FLAGS.find((flag) => flag.replaceAll(' ', '-') === folded) ?? folded
  if (key === 'is') return oneOf([...VERDICT_FILTERS, ...TRAITS])
  if (key === 'sort') return oneOf(SORTS)
  return folded === NONE ? NONE : typed
}

/** Total: any text is a query. */
export function parseQuery(text: string): Query {
  const query = { ...DEFAULT_QUERY } as { -readonly [K in keyof Query]: Query[K] }
  for (const token of tokensOf(text)) {
    if (token.kind === 'word') {
      query.words = [...query.words, token.text]
      continue
    }
    const key = keyOf(token.key)
    if (key === null) {
      query.problems = [...query.problems, { kind: 'key', key: token.key, values: token.values }]
      continue
    }
    const unknown: string[] = []
    for (const typed of token.values) {
      const value = valueFor(key, typed)
      if (value === null) unknown.push(typed)
      else take(query, key, value)
    }
    if (unknown.length > 0) query.problems = [...query.problems, { kind: 'value', key, values: unknown }]
  }
  return query
}

function take(query: { -readonly [K in keyof Query]: Query[K] }, key: Key, value: string): void {
  if (key === 'sort') query.sort = value as Sort
  else if (key !== 'is') query[key] = union(query[key], value)
  else if (isVerdictFilter(value)) query.verdict = value
  else query.traits = union(query.traits, value as Trait)
}

const isVerdictFilter = (value: string): value is VerdictFilter => VERDICT_FILTERS.includes(value as VerdictFilter)
/** Licences are compared folded. */
const union = <T extends string>(list: readonly T[], value: T): readonly T[] =>
  list.some((one) => fold(one) === fold(value)) ? list : [...list, value]

/** The text of a query; parsed, it is that query again. */
export function renderQuery(query: Query): string {
  const filter = (key: string, values: readonly string[]) =>
    values.length === 0 ? [] : [`${key}:${values.map(quoted).join(',')}`]
  const verdict = query.verdict === DEFAULT_QUERY.verdict ? [] : [query.verdict]
  return [
    ...query.words.map(quoted),
    ...filter('category', query.category),
    ...filter('risk', query.risk),
    ...filter('license', query.license),
    ...filter('is', [...verdict, ...query.traits]),
    ...filter('sort', query.sort === null ? [] : [query.sort]),
    ...query.problems.map(({ key, values }) => `${key}:${values.map(quoted).join(',')}`),
  ].join(' ')
}

/** The list with the value in it, or without it when it was. */
export function toggled<T extends string>(list: readonly T[], value: T): readonly T[] {
  const without = list.filter((one) => fold(one) !== fold(value))
  return without.length < list.length ? without : [...list, value]
}
