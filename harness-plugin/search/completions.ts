import type { Messages } from '../messages/index.ts'
import { type Counts, facetValues, foldValue, type Key, type NamedValue, SORTS } from './facets.ts'
import { facetsOf, KEYS, keyOf, quoted, tokensOf } from './query.ts'

/** A value of a typed key. */
export interface Completion {
  readonly insert: string
  readonly label: string
  readonly note: string
}

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

const MOST = 8

/** Returns the completions at the caret; null when there are none. A word has none: the arrow keys lead to its results. */
export function completionsAt(text: string, caret: number, vocabulary: Vocabulary): Completions | null {
  const token = tokensOf(text).find(({ start, end }) => start < caret && caret <= end)
  if (token === undefined || token.kind === 'word') return null
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
    .map(({ value, name }) => ({
      insert: quoted(value),
      label: name,
      note: `${keyName}:${quoted(keyName === key ? value : name)}`,
    }))
  return list.length === 0 ? null : { start, end: caret, list }
}

/** Returns the text with a completion inserted. */
export const complete = (text: string, { start, end }: Completions, { insert }: Completion): string =>
  text.slice(0, start) + insert + (text[end] === ' ' ? '' : ' ') + text.slice(end)

/** Returns true if the text, or a word in it, starts with this. Chinese has no spaces between words. */
const hasStart = (text: string, start: string) =>
  foldValue(text)
    .split(/(?<=[^\p{L}\p{N}])|(?=\p{Script=Han})/u)
    .some((_, at, words) => words.slice(at).join('').startsWith(start))
