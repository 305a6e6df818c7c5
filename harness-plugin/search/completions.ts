import type { Messages } from '../messages/index.ts'
import { type Counts, facetValues, foldValue, type Key, type NamedValue, SORTS } from './facets.ts'
import { facetsOf, KEYS, keyOf, quoted, tokensOf } from './query.ts'

/** A key, which replaces the typed text, or a value, which becomes a chosen filter. */
export type Completion =
  | { readonly kind: 'key'; readonly insert: string; readonly label: string; readonly note: string }
  | { readonly kind: 'value'; readonly insert: string; readonly label: string; readonly note: string }

/** The keys in the reader's language, each with its possible values. */
export type Vocabulary = Readonly<Record<Key, { readonly name: string; readonly values: readonly NamedValue[] }>>

/** @param counts the values of the listings, with their counts */
export function vocabularyOf(t: Messages, counts: Counts): Vocabulary {
  const valuesOf = (key: Key) =>
    key === 'sort'
      ? SORTS.map((value) => ({ value, name: t.finding.sorts[value] }))
      : facetsOf(key).flatMap((id) => facetValues(id, counts[id], t))
  return Object.fromEntries(
    KEYS.map((key) => [key, { name: t.keys[key].names[0]!, values: valuesOf(key) }]),
  ) as unknown as Vocabulary
}

export interface Completions {
  /** Start of the text that a completion replaces. */
  readonly start: number
  readonly end: number
  readonly list: readonly Completion[]
}

/** Typed letters after which a key is offered; one character of Chinese is enough. */
const KEY_LETTERS = 2
const MOST = 8

/** Returns the completions at the caret; null when there are none. */
export function completionsAt(text: string, caret: number, vocabulary: Vocabulary): Completions | null {
  const token = tokensOf(text).find(({ start, end }) => start < caret && caret <= end)
  if (token === undefined) return null
  if (token.kind === 'word') return keysFor(text.slice(token.start, caret), token, vocabulary)
  const key = keyOf(token.key)
  if (key === null) return null
  const typed = text.slice(token.start, caret)
  const start = token.start + Math.max(...[...':：,，'].map((mark) => typed.lastIndexOf(mark))) + 1
  if (start > caret) return null
  const written = foldValue(text.slice(start, caret).replace(/["“”„]/g, ''))
  const taken = new Set(token.values.map(foldValue))
  const { name: keyName, values } = vocabulary[key]
  const list = values
    .filter(({ value, name }) => hasStart(value, written) || hasStart(name, written))
    .filter(({ value }) => !taken.has(foldValue(value)))
    .slice(0, MOST)
    .map((one) => ({ ...valueCompletion(key, keyName, one), insert: quoted(one.value) }))
  return list.length === 0 ? null : { start, end: caret, list }
}

function keysFor(
  written: string,
  { start, end }: { start: number; end: number },
  vocabulary: Vocabulary,
): Completions | null {
  const folded = foldValue(written)
  if (written.length < KEY_LETTERS && !/\p{Script=Han}/u.test(written)) return null
  const keys = KEYS.flatMap((key) => [...new Set([key, vocabulary[key].name])])
    .filter((key) => key.startsWith(folded))
    .map((key) => ({ kind: 'key' as const, insert: `${key}:`, label: `${key}:`, note: '' }))
  const list = [...keys, ...valuesFor(folded, vocabulary)]
  return list.length === 0 ? null : { start, end, list }
}

/** Keys whose values are offered for a typed word. The others have too many, or names that are words of a search. */
const NAMED: readonly Key[] = ['category', 'risk']
const VALUE_LETTERS = 3
const MOST_VALUES = 2

/** Returns filters for a word that begins the name of a value: `memory` is also `category:memory`. */
function valuesFor(folded: string, vocabulary: Vocabulary): Completion[] {
  if (folded.length < VALUE_LETTERS && !/\p{Script=Han}/u.test(folded)) return []
  return NAMED.flatMap((key) =>
    vocabulary[key].values
      .filter(({ value, name }) => foldValue(value).startsWith(folded) || foldValue(name).startsWith(folded))
      .map((one) => valueCompletion(key, vocabulary[key].name, one)),
  ).slice(0, MOST_VALUES)
}

/** @param keyName the key in the reader's language */
const valueCompletion = (key: Key, keyName: string, { value, name }: NamedValue) => ({
  kind: 'value' as const,
  insert: `${key}:${quoted(value)}`,
  label: name,
  note: `${keyName}:${quoted(keyName === key ? value : name)}`,
})

/** Returns the text with a completion inserted, and the new position of the caret. */
export function complete(
  text: string,
  { start, end }: Completions,
  { kind, insert }: Completion,
): { text: string; caret: number } {
  const ends = kind === 'key' || text[end] === ' ' ? '' : ' '
  return { text: text.slice(0, start) + insert + ends + text.slice(end), caret: start + insert.length + ends.length }
}

/** Returns true if the text, or a word in it, starts with this. Chinese has no spaces between words. */
const hasStart = (text: string, start: string) =>
  foldValue(text)
    .split(/(?<=[^\p{L}\p{N}])|(?=\p{Script=Han})/u)
    .some((_, at, words) => words.slice(at).join('').startsWith(start))
