/** Controls, what turns the direction of writing, and every kind of character that is not seen: words hide in them. */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}]/gu
/** No text of an answer is longer, in characters. */
const LONGEST = 600
/** What is longer is no name. */
const LONGEST_NAME = 60

/** A text of somebody else's, as an agent may read it: what it sees is what a person would see, on one line. */
export function plainText(text: string, longest = LONGEST): string {
  const line = text.replace(/\s+/g, ' ').replace(UNSEEN, '').trim()
  const characters = Array.from(line.slice(0, 2 * longest + 2))
  return characters.length > longest
    ? `${characters
        .slice(0, longest - 1)
        .join('')
        .trimEnd()}…`
    : line
}

/** The same of a text that is agreed to, such as a script: all of it, line by line. */
export const plainLines = (text: string): string =>
  text
    .split(/\r\n?|\n/)
    .map((line) => plainText(line, Number.POSITIVE_INFINITY))
    .join('\n')

/** The same of a name or a word, which is short. */
export const plainName = (text: string): string => plainText(text, LONGEST_NAME)

/** The same of every text in an answer; keys are ours. What is null or undefined is left out. */
export function plain(value: unknown): unknown {
  if (typeof value === 'string') return plainText(value)
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const present = Object.entries(value).filter(([, one]) => one !== null && one !== undefined)
  return Object.fromEntries(present.map(([key, one]) => [key, plain(one)]))
}
