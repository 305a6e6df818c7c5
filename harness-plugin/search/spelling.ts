import type { Entry } from './entry.ts'
import { isStopWord } from './stop-words.ts'

/** Shortest word that is corrected: shorter words are near to everything. */
const MIN_LETTERS = 4
/** Shortest part of a compound, in letters, and the most parts that one may have. */
const MIN_PART_LETTERS = 3
const MOST_PARTS = 3

/** Frequency of each whole word of the listings. A word in a name or a category counts as many in summaries. */
export type Vocabulary = ReadonlyMap<string, number>
const NAME_WEIGHT = 10

/** Counts the words that a correction may result in. Stop words are never a correction. */
export function vocabularyOf(entries: readonly Entry[]): Vocabulary {
  const counts = new Map<string, number>()
  const add = (words: readonly string[], weight: number) => {
    for (const word of words)
      if (word.length >= MIN_PART_LETTERS && !isStopWord(word)) counts.set(word, (counts.get(word) ?? 0) + weight)
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
 * Corrects a term that no listing has: without punctuation, to the nearest word of the vocabulary, or to a compound of
 * several. Leaves terms of other scripts alone: one wrong character of two is another word.
 *
 * @returns the words that replace it; null when there are none
 */
export function correctSpelling(term: string, vocabulary: Vocabulary): readonly string[] | null {
  const letters = term.replaceAll(/[^a-z\d]/g, '')
  if (letters.length < MIN_LETTERS || !/^[a-z\d\p{P}\p{S}]+$/u.test(term)) return null
  if (letters !== term) {
    if (vocabulary.has(letters)) return [letters]
    const parts = wordsIn(term)
    if (parts.length > 1 && parts.every((part) => vocabulary.has(part))) return parts
  }
  const nearest = nearestWord(letters, vocabulary)
  return nearest === null ? splitCompound(letters, vocabulary) : [nearest]
}

/** Returns the most frequent word that is one edit away; else one that starts with the term, which may be unfinished. */
function nearestWord(term: string, vocabulary: Vocabulary): string | null {
  if (!/^[a-z]+$/.test(term)) return null
  const mostFrequent = (isNear: (word: string) => boolean) => {
    let best: string | null = null
    let most = 0
    for (const [word, count] of vocabulary)
      if (count > most && isNear(word)) {
        best = word
        most = count
      }
    return best
  }
  const startsSo = (word: string) =>
    word.length > term.length &&
    word[0] === term[0] &&
    [-1, 0, 1].some((more) => isOneEditApart(term, word.slice(0, term.length + more)))
  return mostFrequent((word) => isOneEditApart(term, word)) ?? mostFrequent(startsSo)
}

/** Returns true if one added, removed or replaced letter, or two swapped, makes one word the other. */
export function isOneEditApart(a: string, b: string): boolean {
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

/** Returns the fewest words of the vocabulary that make up the term. */
function splitCompound(term: string, vocabulary: Vocabulary): readonly string[] | null {
  for (let parts = 2; parts <= MOST_PARTS; parts++) {
    const words = splitInto(parts, term, vocabulary)
    if (words) return words
  }
  return null
}

function splitInto(parts: number, term: string, vocabulary: Vocabulary): readonly string[] | null {
  if (parts === 1) return vocabulary.has(term) ? [term] : null
  for (let at = MIN_PART_LETTERS; at <= term.length - MIN_PART_LETTERS; at++) {
    if (!vocabulary.has(term.slice(0, at))) continue
    const rest = splitInto(parts - 1, term.slice(at), vocabulary)
    if (rest) return [term.slice(0, at), ...rest]
  }
  return null
}
