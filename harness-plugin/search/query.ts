import { RISK_FLAGS } from '@plugmark/shared/contract'
import { LOCALES } from '@plugmark/shared/i18n'
import {
  DEFAULT_FILTERS,
  type Filters,
  KEYS,
  type Key,
  type Sort,
  type Trait,
  union,
  VERDICT_FILTERS,
  type VerdictFilter,
} from './filters.ts'
import { facetValues } from './labels.ts'
import { quoted, type Token, tokensOf } from './tokens.ts'

/** A part of a query that means nothing here; it filters nothing. */
export interface Problem {
  readonly kind: 'key' | 'value'
  /** A key as it is known, or as it was typed where it is not. */
  readonly key: string
  /** The values that mean nothing; for a key, all of them. */
  readonly values: readonly string[]
}

/** What is looked for: words, which must all be found, and filters. */
export interface Query extends Filters {
  readonly words: readonly string[]
  readonly problems: readonly Problem[]
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
const hyphenated = (text: string) => fold(text).replaceAll(' ', '-')

export function keyOf(typed: string): Key | null {
  const folded = fold(typed)
  return KEYS.find((key) => key === folded) ?? ALIASES[folded] ?? null
}

/** By key, the values of each id and of each label in either language, folded. */
const KNOWN: Readonly<Record<Key, ReadonlyMap<string, string>>> = (() => {
  const known = Object.fromEntries(KEYS.map((key) => [key, new Map<string, string>()])) as Record<
    Key,
    Map<string, string>
  >
  for (const values of LOCALES.map(facetValues))
    for (const key of KEYS)
      for (const { value, name } of values[key])
        for (const text of [name, value]) known[key].set(hyphenated(text), value)
  return known
})()

/** The value a filter knows this by, or null. Licences and risk flags are open: the directory has newer ones. */
function valueFor(key: Key, typed: string): string | null {
  const known = KNOWN[key].get(hyphenated(typed))
  if (known !== undefined) return known
  if (key === 'risk') return RISK_FLAGS.find((flag) => flag === fold(typed)) ?? fold(typed)
  return key === 'license' ? typed : null
}

/** A text taken apart: its words, the filters that are typed in it, and what it says without those. */
export interface Typed {
  readonly words: readonly string[]
  /** Only what is typed. */
  readonly filters: Partial<Filters>
  readonly problems: readonly Problem[]
  /** The text without the filters that are understood. */
  readonly rest: string
}

/** Total: any text is a query. */
export function parseText(text: string): Typed {
  const words: string[] = []
  const problems: Problem[] = []
  const kept: string[] = []
  const filters: { -readonly [K in keyof Filters]?: Filters[K] } = {}
  for (const token of tokensOf(text)) {
    const unknown = token.kind === 'word' ? null : readFilter(token, filters, problems)
    if (token.kind === 'word') words.push(token.text)
    if (unknown !== '') kept.push(unknown ?? text.slice(token.start, token.end))
  }
  return { words, filters, problems, rest: kept.join(' ') }
}

/** @returns what of it is not understood, as text; empty when all of it is */
function readFilter(
  { key: typed, values }: Token & { kind: 'filter' },
  filters: { -readonly [K in keyof Filters]?: Filters[K] },
  problems: Problem[],
): string {
  const asText = (key: string, values: readonly string[]) => `${key}:${values.map(quoted).join(',')}`
  const key = keyOf(typed)
  if (key === null) {
    problems.push({ kind: 'key', key: typed, values })
    return asText(typed, values)
  }
  const unknown: string[] = []
  for (const one of values) {
    const value = valueFor(key, one)
    if (value === null) unknown.push(one)
    else if (key === 'sort') filters.sort = value as Sort
    else if (key !== 'is') filters[key] = union(filters[key] ?? [], [value])
    else if (VERDICT_FILTERS.includes(value as VerdictFilter)) filters.verdict = value as VerdictFilter
    else filters.traits = union(filters.traits ?? [], [value as Trait])
  }
  if (unknown.length > 0) problems.push({ kind: 'value', key, values: unknown })
  // A key alone waits for its value.
  return unknown.length > 0 || values.length === 0 ? asText(typed, unknown) : ''
}

/** Filters with those that were typed: lists grow, and one of a kind is replaced. */
export const withTyped = (filters: Filters, typed: Partial<Filters>): Filters => ({
  category: union(filters.category, typed.category ?? []),
  risk: union(filters.risk, typed.risk ?? []),
  license: union(filters.license, typed.license ?? []),
  traits: union(filters.traits, typed.traits ?? []),
  verdict: typed.verdict ?? filters.verdict,
  sort: typed.sort ?? filters.sort,
})

/** @param filters those that are chosen already @default none */
export function parseQuery(text: string, filters: Filters = DEFAULT_FILTERS): Query {
  const typed = parseText(text)
  return { ...withTyped(filters, typed.filters), words: typed.words, problems: typed.problems }
}

/** The values of each filter that is not as by default, as they are typed behind its key. */
export function renderFilters(filters: Filters): Partial<Record<Key, string>> {
  const { category, risk, license, verdict, traits, sort } = filters
  const values: Record<Key, readonly string[]> = {
    category,
    risk,
    license,
    is: [...(verdict === DEFAULT_FILTERS.verdict ? [] : [verdict]), ...traits],
    sort: sort === null ? [] : [sort],
  }
  return Object.fromEntries(
    KEYS.filter((key) => values[key].length > 0).map((key) => [key, values[key].map(quoted).join(',')]),
  )
}

/** The text of words; parsed, they are those words again. */
export const renderWords = (words: readonly string[]): string => words.map(quoted).join(' ')
