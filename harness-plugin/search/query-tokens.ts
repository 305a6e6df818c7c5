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
