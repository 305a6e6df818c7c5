import { KEYS, type Key, keyOf } from './query.ts'
import { quoted, tokensOf } from './tokens.ts'

export interface Completion {
  /** What takes the place of what was typed. */
  readonly insert: string
  /** What a person reads: the name of a value, the key itself. */
  readonly label: string
  readonly note: string
}

/** What can stand behind a key, with names in the reader's language. */
export type Vocabulary = Readonly<Record<Key, readonly { readonly value: string; readonly name: string }[]>>

export interface Completions {
  /** The part of the text that a completion takes the place of. */
  readonly start: number
  readonly end: number
  readonly list: readonly Completion[]
}

/** Letters of a word after which a key is offered. */
const KEY_LETTERS = 2
const MOST = 8

/** What can be completed where the caret stands; null where there is nothing. */
export function completionsAt(text: string, caret: number, vocabulary: Vocabulary): Completions | null {
  const token = tokensOf(text).find(({ start, end }) => start < caret && caret <= end)
  if (token === undefined) return null
  if (token.kind === 'word') return keysFor(text.slice(token.start, caret), token)
  const key = keyOf(token.key)
  if (key === null) return null
  const typed = text.slice(token.start, caret)
  const start = token.start + Math.max(...[...':：,，'].map((mark) => typed.lastIndexOf(mark))) + 1
  if (start > caret) return null
  const written = fold(text.slice(start, caret).replace(/["“”„]/g, ''))
  const taken = new Set(token.values.map(fold))
  const list = vocabulary[key]
    .filter(({ value, name }) => hasStart(value, written) || hasStart(name, written))
    .filter(({ value }) => !taken.has(fold(value)))
    .slice(0, MOST)
    .map(({ value, name }) => ({ insert: quoted(value), label: name, note: `${key}:${quoted(value)}` }))
  return list.length === 0 ? null : { start, end: caret, list }
}

function keysFor(written: string, { start, end }: { start: number; end: number }): Completions | null {
  if (written.length < KEY_LETTERS) return null
  const list = KEYS.filter((key) => key.startsWith(fold(written))).map((key) => {
    return { insert: `${key}:`, label: `${key}:`, note: '' }
  })
  return list.length === 0 ? null : { start, end, list }
}

/** The text with a completion in it, and where the caret stands then. */
export function complete(
  text: string,
  { start, end }: Completions,
  { insert }: Completion,
): { text: string; caret: number } {
  const ends = insert.endsWith(':') || text[end] === ' ' ? '' : ' '
  return { text: text.slice(0, start) + insert + ends + text.slice(end), caret: start + insert.length + ends.length }
}

/** Whether the text, or a word in it, begins so; Chinese words are not set apart. */
const hasStart = (text: string, start: string) =>
  fold(text)
    .split(/(?<=[^\p{L}\p{N}])|(?=\p{Script=Han})/u)
    .some((_, at, words) => words.slice(at).join('').startsWith(start))

const fold = (text: string) => text.normalize('NFKC').toLowerCase()
