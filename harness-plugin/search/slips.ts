import type { Entry } from './entry.ts'

/** Shorter words are near to everything. */
const SLIP_LENGTH = 4
/** A part of a word that was meant to be two. */
const PART_LENGTH = 3
const PARTS = 3

/** A word that is here is a slip only where what was meant is so much more frequent. */
const CLEARLY_MORE = 20

/** How often each word stands in the listings. One in a name or a category counts for many in summaries. */
export type Vocabulary = ReadonlyMap<string, number>
const NAME_WEIGHT = 10

export function vocabularyOf(entries: readonly Entry[]): Vocabulary {
  const counts = new Map<string, number>()
  const add = (words: readonly string[], weight: number) => {
    for (const word of words) if (word.length >= PART_LENGTH) counts.set(word, (counts.get(word) ?? 0) + weight)
  }
  for (const { text, namesEnd, categoryLabels, riskLabels } of entries) {
    add(wordsIn(text.slice(0, namesEnd)), NAME_WEIGHT)
    add(wordsIn(text.slice(namesEnd)), 1)
    add(categoryLabels.words, NAME_WEIGHT)
    add(riskLabels.words, 1)
  }
  return counts
}

const wordsIn = (text: string): readonly string[] => text.match(/[a-z\d]+/g) ?? []

/**
 * What was meant by a term that is hardly found: without marks in it, with one slip undone (a letter missing, too many,
 * another, or two swapped), or as the words that it was run together from. Letters of other scripts are taken as they
 * stand; an error in a word of two characters is another word.
 *
 * @param hits listings that have the term as it stands
 * @returns the words that were meant; null when there is no telling
 */
export function mended(term: string, vocabulary: Vocabulary, hits: number): readonly string[] | null {
  const squeezed = term.replaceAll(/[^a-z\d]/g, '')
  if (squeezed.length < SLIP_LENGTH || !/^[a-z\d\p{P}\p{S}]+$/u.test(term)) return null
  if (squeezed !== term) {
    if (vocabulary.has(squeezed)) return [squeezed]
    const parts = wordsIn(term)
    if (parts.length > 1 && parts.every((part) => vocabulary.has(part))) return parts
  }
  const least = CLEARLY_MORE * (vocabulary.get(term) ?? hits)
  const near = nearest(squeezed, vocabulary, least)
  if (near !== null) return [near]
  return hits === 0 ? parted(squeezed, vocabulary, PARTS) : null
}

/** The word with one slip in it, the most frequent; else the one that begins so, as it may not be typed to its end. */
function nearest(term: string, vocabulary: Vocabulary, least: number): string | null {
  if (!/^[a-z]+$/.test(term)) return null
  let best: string | null = null
  let most = least
  for (const [word, count] of vocabulary) {
    if (Math.abs(word.length - term.length) > 1 || count <= most || !isOneSlip(term, word)) continue
    best = word
    most = count
  }
  if (best !== null) return best
  for (const [word, count] of vocabulary) {
    if (word.length <= term.length || count <= most || word[0] !== term[0]) continue
    const begins = [-1, 0, 1].some((more) => isOneSlip(term, word.slice(0, term.length + more)))
    if (!begins) continue
    best = word
    most = count
  }
  return best
}

/** Whether one letter more, less or another, or two swapped, make one word of the other. */
export function isOneSlip(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (a === b || long.length - short.length > 1) return false
  let from = 0
  while (from < short.length && short[from] === long[from]) from++
  let end = 0
  while (end < short.length - from && short.at(-1 - end) === long.at(-1 - end)) end++
  const rest = short.slice(from, short.length - end)
  const other = long.slice(from, long.length - end)
  if (rest.length <= 1 && other.length <= 1) return true
  return rest.length === 2 && other.length === 2 && rest[0] === other[1] && rest[1] === other[0]
}

/** The fewest words that make up the term. */
function parted(term: string, vocabulary: Vocabulary, most: number): readonly string[] | null {
  for (let parts = 2; parts <= most; parts++) {
    const found = inParts(term, vocabulary, parts)
    if (found) return found
  }
  return null
}

function inParts(term: string, vocabulary: Vocabulary, parts: number): readonly string[] | null {
  if (parts === 1) return vocabulary.has(term) ? [term] : null
  for (let at = PART_LENGTH; at <= term.length - PART_LENGTH; at++) {
    if (!vocabulary.has(term.slice(0, at))) continue
    const rest = inParts(term.slice(at), vocabulary, parts - 1)
    if (rest) return [term.slice(0, at), ...rest]
  }
  return null
}
