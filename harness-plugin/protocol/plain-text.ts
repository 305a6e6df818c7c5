import { hidePasswords } from '@plugmark/shared/contract'

/**
 * Control characters, bidi characters, line ends that only some programs know, and every kind of invisible character: text
 * can be hidden in them.
 */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu
/** In code, also spaces that are not the usual one. */
const UNSEEN_IN_CODE = new RegExp(`${UNSEEN.source}|(?! )\\p{Zs}`, 'gu')
/** Maximum length of a text in an answer, in characters. */
const LONGEST = 600
/** Maximum length of a name, in characters. */
const LONGEST_NAME = 60

/** Makes text of others safe to show: on one line, without passwords, with only characters that the user would see. */
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

/** Does the same for text that the user agrees to, such as a script, but keeps all of it line by line. */
export const plainLines = (text: string): string =>
  text
    .split(/\r\n?|\n/)
    .map((line) => plainText(line, Number.POSITIVE_INFINITY))
    .join('\n')

/** Longest line of a file, in characters, of which ten can stand for one. */
const LONGEST_LINE = 4_000

/**
 * Returns code with characters that nobody would see as escapes, because they can hide what it does. Line feeds and tabs
 * stay.
 */
export const visibleCode = (code: string): string =>
  code.replace(UNSEEN_IN_CODE, (unseen) =>
    /[\n\t]/.test(unseen) ? unseen : `\\u{${unseen.codePointAt(0)?.toString(16)}}`,
  )

/** Makes a line of an author's file safe to show. Its spaces stay; nothing of it is a password of the user. */
export const codeLine = (line: string): string => visibleCode(line.slice(0, LONGEST_LINE)).replaceAll('\n', '\\u{a}')

/** Makes a name or a word safe to show, as `plainText` does, with a shorter limit. */
export const plainName = (text: string): string => plainText(text, LONGEST_NAME)

/** Makes every text in an answer safe to show. Keys are our own. Omits null and undefined. */
export function plain(value: unknown): unknown {
  if (typeof value === 'string') return plainText(value)
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const present = Object.entries(value).filter(([, one]) => one !== null && one !== undefined)
  return Object.fromEntries(present.map(([key, one]) => [key, plain(one)]))
}
