import { hidePasswords } from '@plugmark/shared/contract'

/** Control characters, bidi characters, and every kind of invisible character: text can be hidden in them. */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}]/gu
/** Maximum length of a text in an answer, in characters. */
const LONGEST = 600
/** Maximum length of a name, in characters. */
const LONGEST_NAME = 60

/** Makes text of others safe to show: on one line, without passwords, with only characters that a person would see. */
export function plainText(text: string, longest = LONGEST): string {
  const line = hidePasswords(text.replace(/\s+/g, ' ').replace(UNSEEN, '').trim())
  const characters = Array.from(line.slice(0, 2 * longest + 2))
  return characters.length > longest
    ? `${characters
        .slice(0, longest - 1)
        .join('')
        .trimEnd()}…`
    : line
}

/** Does the same for text that a person agrees to, such as a script, but keeps all of it line by line. */
export const plainLines = (text: string): string =>
  text
    .split(/\r\n?|\n/)
    .map((line) => plainText(line, Number.POSITIVE_INFINITY))
    .join('\n')

/** Longest line of a file, in characters, of which ten can stand for one. */
const LONGEST_LINE = 4_000

/**
 * Makes a line of an author's file safe to show: its spaces stay, and characters that nobody would see are written as
 * escapes, because they can hide what a line does. Nothing of it is a password of the user.
 */
export const codeLine = (line: string): string =>
  line
    .slice(0, LONGEST_LINE)
    .replace(UNSEEN, (unseen) => (unseen === '\t' ? unseen : `\\u{${unseen.codePointAt(0)?.toString(16)}}`))

/** Does the same for a name or a word, with a shorter limit. */
export const plainName = (text: string): string => plainText(text, LONGEST_NAME)

/** Does the same for every text in an answer. Keys are our own. Omits null and undefined. */
export function plain(value: unknown): unknown {
  if (typeof value === 'string') return plainText(value)
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const present = Object.entries(value).filter(([, one]) => one !== null && one !== undefined)
  return Object.fromEntries(present.map(([key, one]) => [key, plain(one)]))
}
