import { categoryLabels, type Entry, riskLabels } from './entry.ts'
import { isStopWord, stemOf } from './terms.ts'

/** Shortest word that is corrected: shorter words are near to everything. */
const MIN_LETTERS = 4
/** Shortest part of a compound, in letters, and the most parts that one may have. */
const MIN_PART_LETTERS = 3
const MOST_PARTS = 3

/** Frequency of each name and whole word of the listings. A word in a name or a category counts as many in summaries. */
export type Vocabulary = ReadonlyMap<string, number>
const NAME_WEIGHT = 10

/** Counts the words that a correction may result in. Stop words are never a correction. */
export function vocabularyOf(entries: readonly Entry[]): Vocabulary {
  const counts = new Map<string, number>()
  const add = (words: readonly string[], weight: number) => {
    for (const word of words)
      if (word.length >= MIN_PART_LETTERS && !isStopWord(word)) counts.set(word, (counts.get(word) ?? 0) + weight)
  }
  for (const { text, name, namesEnd, category, riskFlags } of entries) {
    const names = wordsIn(text.slice(0, namesEnd))
    add(names.includes(name) ? names : [name, ...names], NAME_WEIGHT)
    add(wordsIn(text.slice(namesEnd)), 1)
    add(categoryLabels(category).words, NAME_WEIGHT)
    for (const flag of riskFlags) add(riskLabels(flag).words, 1)
  }
  return counts
}

const wordsIn = (text: string): readonly string[] => text.match(/[a-z\d]+/g) ?? []

export interface Correction {
  /** The words that replace the term. */
  readonly words: readonly string[]
  /** False when other words are as near, so that the correction can only be offered. */
  readonly isSure: boolean
}

/**
 * Corrects a term that no listing has: to the nearest name or word of the vocabulary, part by part, or to a compound of
 * several words. Leaves terms of other scripts alone: one wrong character of two is another word.
 */
export function correctSpelling(term: string, vocabulary: Vocabulary): Correction | null {
  const letters = term.replaceAll(/[^a-z\d]/g, '')
  if (letters.length < MIN_LETTERS || !/^[a-z\d\p{P}\p{S}]+$/u.test(term)) return null
  if (letters !== term && vocabulary.has(letters)) return { words: [letters], isSure: true }
  // A digit belongs to a name or a number: what looks near is another one.
  const isWord = !/\d/.test(term) || term.includes('-')
  const near = isWord ? mostFrequent(vocabulary, (word) => isOneEditApart(term, word)) : null
  if (near) return { words: [near.word], isSure: near.isOnly }
  const parts = wordsIn(term)
  if (parts.length > 1) {
    const corrected = parts.flatMap((part) => {
      if (vocabulary.has(part)) return part
      return part.length < MIN_LETTERS
        ? []
        : (mostFrequent(vocabulary, (word) => isOneEditApart(part, word))?.word ?? [])
    })
    if (corrected.length === parts.length) return { words: corrected, isSure: true }
  }
  const compound = splitCompound(letters, vocabulary)
  return compound && { words: compound, isSure: true }
}

function mostFrequent(vocabulary: Vocabulary, isNear: (word: string) => boolean) {
  const near = [...vocabulary].filter(([word]) => isNear(word))
  const [first] = near.toSorted((a, b) => b[1] - a[1])
  // The forms of a word are one word.
  const words = new Set(near.map(([word]) => stemOf(word)))
  return first ? { word: first[0], isOnly: words.size === 1 } : null
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
