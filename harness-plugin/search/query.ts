import { LOCALES } from '@plugmark/shared/i18n'
import { isOwnerName, isPackageName, isRepoName, parseSpec, readSpec } from '@plugmark/shared/install'
import { messagesFor } from '../messages/index.ts'
import {
  byFacet,
  DEFAULT_FILTERS,
  FACET_IDS,
  FACETS,
  type FacetId,
  type Filters,
  foldValue,
  type IndexedValue,
  isSameValue,
  type Key,
  NO_PROFILE,
  readBound,
  SORTS,
  type Sort,
  union,
  valueName,
} from './facets.ts'
import { isOneEditApart } from './spelling.ts'

/** A part of a query that is not understood. It filters nothing. */
export interface Problem {
  readonly kind: 'key' | 'value'
  /** A known key, or the typed text when the key is unknown. */
  readonly key: string
  /** The values that are not understood; for an unknown key, all of them. */
  readonly values: readonly string[]
  /** For an unknown key, the key that is one letter away; null when there is none. */
  readonly near?: Key | null
}

/** Words and filters of a search. */
export interface Query extends Filters {
  readonly words: readonly string[]
  readonly problems: readonly Problem[]
}

/** Every key, in the order in which they are offered. */
export const KEYS = Object.keys(messagesFor('en').keys) as readonly Key[]

const hyphenated = (text: string) => foldValue(text).replaceAll(' ', '-')

/** Returns the key with this name in any language. */
export function keyOf(typed: string): Key | null {
  const folded = foldValue(typed)
  return KEYS.find((key) => LOCALES.some((locale) => messagesFor(locale).keys[key].names.includes(folded))) ?? null
}

/** Returns the key whose name in some language is one edit away from a text. */
function nearKey(typed: string): Key | null {
  const folded = foldValue(typed)
  const names = (key: Key) => LOCALES.flatMap((locale) => messagesFor(locale).keys[key].names)
  return KEYS.find((key) => names(key).some((name) => name.length >= 4 && isOneEditApart(folded, name))) ?? null
}

/** Returns the facets of a key. */
export const facetsOf = (key: Key): FacetId[] => FACET_IDS.filter((id) => FACETS[id].key === key)

/** Maps every spelling of the known values to the value: its id, and its name in every language. */
function createKnown(values: readonly string[], nameOf: (value: string, locale: (typeof LOCALES)[number]) => string) {
  const known = new Map<string, string>()
  for (const locale of LOCALES)
    for (const value of values) for (const text of [nameOf(value, locale), value]) known.set(hyphenated(text), value)
  return {
    exact: (typed: string): string | null => known.get(hyphenated(typed)) ?? null,
    near(typed: string): string | null {
      const [, value] = [...known].find(([name]) => name.length >= 4 && isOneEditApart(hyphenated(typed), name)) ?? []
      return value ?? null
    },
  }
}

const knownValue = byFacet((id, { values }) =>
  createKnown(values, (value, locale) => valueName(id, value, messagesFor(locale))),
)
const knownSort = createKnown(SORTS, (sort, locale) => messagesFor(locale).finding.sorts[sort as Sort])

/** A parsed text: its words, its filters, and the text without those. */
export interface ParsedText {
  readonly words: readonly string[]
  /** Only filters that are in the text. */
  readonly filters: Partial<Filters>
  readonly problems: readonly Problem[]
  /** The text without the filters that are understood. */
  readonly rest: string
}

type TypedFilters = { -readonly [K in keyof Filters]?: Filters[K] }

/**
 * Parses a text; any text is a query. A pasted install command, or the address of a repository, is a search for its
 * package or its repository.
 */
export function parseText(text: string): ParsedText {
  const spec = parseSpec(text)
  // A version of a package is found as the package.
  const reference = parseReference(spec?.kind === 'npm' ? spec.name : text)
  if (reference.kind !== 'name')
    return {
      words: [reference.kind === 'package' ? reference.name : reference.id],
      filters: {},
      problems: [],
      rest: text.trim(),
    }
  const words: string[] = []
  const problems: Problem[] = []
  const kept: string[] = []
  const filters: TypedFilters = {}
  for (const token of tokensOf(text)) {
    const unknown = token.kind === 'word' ? null : readFilter(token, filters, problems)
    if (token.kind === 'word') words.push(token.text)
    if (unknown !== '') kept.push(unknown ?? text.slice(token.start, token.end))
  }
  return { words, filters, problems, rest: kept.join(' ') }
}

/** Reads one filter. @returns the part that is not understood, as text; empty when all is understood */
function readFilter(
  { key: typed, values }: Token & { kind: 'filter' },
  filters: TypedFilters,
  problems: Problem[],
): string {
  const asText = (key: string, values: readonly string[]) => `${key}:${values.map(quoted).join(',')}`
  const key = keyOf(typed)
  if (key === null) {
    problems.push({ kind: 'key', key: typed, values, near: nearKey(typed) })
    return asText(typed, values)
  }
  const unknown: string[] = []
  for (const value of values) if (!take(key, value, filters)) unknown.push(value)
  if (unknown.length > 0) problems.push({ kind: 'value', key, values: unknown })
  // A key without a value is unfinished: keep it in the text.
  return unknown.length > 0 || values.length === 0 ? asText(typed, unknown) : ''
}

/** Adds a value to the filters. @returns true if the value is understood */
function take(key: Key, typed: string, filters: TypedFilters): boolean {
  if (key === 'sort') {
    const sort = knownSort.exact(typed)
    if (sort !== null) filters.sort = sort as Sort
    return sort !== null
  }
  const ids = facetsOf(key)
  const [first] = ids
  const bound = first && readBound(first, typed)
  if (bound) {
    filters[first] = union(filters[first] ?? [], [bound])
    return true
  }
  const id = ids.find((id) => knownValue[id].exact(typed) !== null) ?? ids.find((id) => FACETS[id].isOpen)
  if (id === undefined) return false
  const value = knownValue[id].exact(typed) ?? typed
  filters[id] = FACETS[id].choice === 'one' ? [value] : union(filters[id] ?? [], [value])
  return true
}

/** Adds typed filters to the chosen ones: lists grow, and a single value is replaced. */
export const withTyped = (filters: Filters, typed: Partial<Filters>): Filters => ({
  ...byFacet((id, { choice }) => (choice === 'one' ? (typed[id] ?? filters[id]) : union(filters[id], typed[id] ?? []))),
  sort: typed.sort ?? filters.sort,
})

/** @param filters the chosen filters @default none */
export function parseQuery(text: string, filters: Filters = DEFAULT_FILTERS): Query {
  const typed = parseText(text)
  return { ...withTyped(filters, typed.filters), words: typed.words, problems: typed.problems }
}

/**
 * Marks filters by traits that a caller does not know as not understood: they would hide all rows. Only the screen checks for
 * updates, and an agent does not look for itself.
 */
export function withoutUnknownTraits(query: Query, { knowsNew }: { readonly knowsNew: boolean }): Query {
  const unknown = query.traits.filter((trait) => trait === 'updatable' || (trait === 'new' && !knowsNew))
  if (unknown.length === 0) return query
  return {
    ...query,
    traits: query.traits.filter((trait) => !unknown.includes(trait)),
    problems: [...query.problems, { kind: 'value', key: FACETS.traits.key, values: unknown }],
  }
}

/** Returns the filters that parts which are not understood may have meant; null when no known key or value is near. */
export function nearFilters({ problems }: Pick<Query, 'problems'>): string | null {
  const near = problems.flatMap(({ kind, key, near, values }) => {
    if (kind === 'key') return near ? `${near}:${values.map(quoted).join(',')}` : []
    const known = values.flatMap((value) => nearValue(key as Key, value) ?? [])
    return known.length > 0 ? `${key}:${known.map(quoted).join(',')}` : []
  })
  return near.join(' ') || null
}

/** Returns the value of a key whose id or name in some language is one edit away from a text. */
function nearValue(key: Key, typed: string): string | null {
  const known = key === 'sort' ? [knownSort] : facetsOf(key).map((id) => knownValue[id])
  return known.map(({ near }) => near(typed)).find((value) => value !== null) ?? null
}

/** Typed values of a filter that no listing has. */
export interface AbsentValues {
  readonly problem: Problem
  /** The filter that they may have meant; null when no known value is near. */
  readonly near: string | null
  /** The values that most listings have. */
  readonly known: readonly string[]
}
const MOST_KNOWN = 12

/** Returns the typed values that no listing has, of facets that have whatever the listings have. An owner may have none. */
export const absentValues = (entries: readonly Pick<IndexedValue, 'listing'>[], filters: Filters): AbsentValues[] =>
  FACET_IDS.filter((id) => FACETS[id].isOpen && !FACETS[id].isTyped && filters[id].length > 0).flatMap((id) => {
    const { key, values, valuesOf } = FACETS[id]
    const counts = new Map(values.map((value) => [value, 0]))
    for (const { listing } of entries)
      for (const value of valuesOf(listing, NO_PROFILE)) counts.set(value, (counts.get(value) ?? 0) + 1)
    const known = [...counts].sort(([, a], [, b]) => b - a).map(([value]) => value)
    const absent = filters[id].filter((value) => !known.some((one) => isSameValue(one, value)))
    if (absent.length === 0) return []
    const isNear = (one: string, typed: string) => isOneEditApart(typed, one) || one.startsWith(typed)
    const near = absent.flatMap(
      (value) => nearValue(key, value) ?? known.find((one) => isNear(foldValue(one), foldValue(value))) ?? [],
    )
    return {
      problem: { kind: 'value', key, values: absent },
      near: near.length > 0 ? `${key}:${near.map(quoted).join(',')}` : null,
      known: known.slice(0, MOST_KNOWN),
    }
  })

/** Returns the parts that are not understood, as they were typed. */
export const problemTexts = ({ problems }: Pick<Query, 'problems'>): string[] =>
  problems.map(({ key, values }) => `${key}:${values.join(',')}`)

/** Returns the values of each filter that differs from its default, as they are typed behind the key. */
export function renderFilters(filters: Filters): Partial<Record<Key, string>> {
  const valuesOf = (key: Key) =>
    key === 'sort'
      ? [filters.sort ?? []].flat()
      : facetsOf(key).flatMap((id) => filters[id].filter((value) => value !== FACETS[id].initial))
  return Object.fromEntries(
    KEYS.map((key) => [key, valuesOf(key).map(quoted).join(',')]).filter(([, values]) => values !== ''),
  )
}

/** Returns the text of words, which `parseText` parses back to those words. */
export const renderWords = (words: readonly string[]): string => words.map(quoted).join(' ')

/** A piece of a query as it was typed: a word, or a key with its values. */
export type Token =
  | { readonly kind: 'word'; readonly text: string; readonly start: number; readonly end: number }
  | {
      readonly kind: 'filter'
      readonly key: string
      readonly values: readonly string[]
      readonly start: number
      readonly end: number
    }

const QUOTES = '"“”„'
const COLON = /^(\p{L}+)[:：](?!\/\/)/u
const isEscaped = (character: string) => character === '\\' || QUOTES.includes(character)
const isSpace = (character: string) => /\s/u.test(character)

/**
 * Splits a query into tokens. White space separates tokens and commas separate values, both also in Chinese input;
 * quotes keep their content together. An address is a word, although it has a colon.
 */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    if (isSpace(text[at]!)) {
      at++
      continue
    }
    const start = at
    const [head = '', key] = COLON.exec(text.slice(at)) ?? []
    at += head.length
    const { values, end } = valuesAt(text, at, key !== undefined)
    at = end
    if (key !== undefined) tokens.push({ kind: 'filter', key, values, start, end })
    else if (values[0]) tokens.push({ kind: 'word', text: values[0], start, end })
  }
  return tokens
}

/** Reads up to the next white space outside quotes. In quotes, a backslash escapes the mark behind it. */
function valuesAt(text: string, from: number, isList: boolean, endsAtSpace = true): { values: string[]; end: number } {
  const values: string[] = []
  let value = ''
  let isQuoted = false
  let at = from
  for (; at < text.length; at++) {
    const character = text[at]!
    const next = text[at + 1]
    if (isQuoted && character === '\\' && next !== undefined && isEscaped(next)) {
      value += next
      at++
    } else if (QUOTES.includes(character)) isQuoted = !isQuoted
    else if (endsAtSpace && !isQuoted && isSpace(character)) break
    else if (isList && !isQuoted && (character === ',' || character === '，')) {
      values.push(value)
      value = ''
    } else value += character
  }
  values.push(value)
  return { values: values.map((one) => one.trim()).filter(Boolean), end: at }
}

/** Returns the values of a list. White space does not end it. */
export const valuesOf = (text: string): string[] => valuesAt(text, 0, true, false).values

/** Returns a value or word in the form that is read back unchanged. */
export function quoted(text: string): string {
  const isPlain = !/[\s,，"“”„]/u.test(text) && !COLON.test(text)
  return isPlain
    ? text
    : `"${Array.from(text, (character) => (isEscaped(character) ? `\\${character}` : character)).join('')}"`
}

/** A listing, package or repository as the user or an agent names it. */
export type Reference =
  | { readonly kind: 'package'; readonly name: string }
  /** `paths` are the subdirectories that an address may mean; a branch name may have slashes too. */
  | { readonly kind: 'repository'; readonly id: string; readonly paths: readonly string[] }
  | { readonly kind: 'name'; readonly name: string }

/**
 * Reads an id, a package name, the address of a repository, or a pasted install command.
 *
 * @param text any text; it is never run
 */
export function parseReference(text: string): Reference {
  const { spec, repository } = readSpec(text.trim().replace(/\s+/g, ' '))
  if (repository !== null) return readAddress(repository) ?? { kind: 'name', name: spec }
  if (/^[^/\s#]+\/[^/\s#]+(?:#\S+)?$/.test(spec) && !spec.startsWith('@'))
    return { kind: 'repository', id: spec, paths: [] }
  return isPackageName(spec) ? { kind: 'package', name: spec } : { kind: 'name', name: spec }
}

/** @param path the part behind the code host's name */
function readAddress(path: string): Reference | null {
  const [owner, name = '', view, ...rest] = (path.split(/[?#]/, 1)[0] ?? '').split('/').filter(Boolean)
  // pnpm takes #path:/folder and #branch&path:/folder; behind an id, # is the folder itself.
  const [, fragment = ''] = /#(.+)$/.exec(path) ?? []
  const [, folder = /[&:]/.test(fragment) ? '' : fragment] = /(?:^|&)path:\/?([^&]+)/.exec(fragment) ?? []
  const repo = name.replace(/\.git$/i, '')
  if (!isOwnerName(owner) || !isRepoName(repo)) return null
  const paths = view === 'tree' || view === 'blob' ? rest.slice(1).map((_, at) => rest.slice(at + 1).join('/')) : []
  return {
    kind: 'repository',
    id: `${owner}/${repo}`,
    paths: folder === '' ? paths : [folder.replace(/\/+$/, ''), ...paths],
  }
}
