import UFuzzy from '@leeoniya/ufuzzy'
import type { Entry } from './entry.ts'

/** How well a term is matched, the best first. */
const NAME_STARTS = 0
const IN_NAME = 1
const IN_NAMES = 2
const WORD_STARTS = 3
const IN_TEXT = 4
const NEARLY = 5
const RANKS = 6
const NOWHERE = -1

/** With fewer exact hits than this, those with a typing error are added behind them. */
const FEW = 10
/** Shorter terms are near to everything. */
const FUZZY_LENGTH = 4

/**
 * One error a word: a letter too many, missing, another, or two swapped. Letters of other scripts are found as they
 * stand; an error in a word of two characters is another word.
 */
const fuzzy = new UFuzzy({ intraMode: 1, intraIns: 1, intraSub: 1, intraTrn: 1, intraDel: 1 })
const isFuzzy = (term: string) => term.length >= FUZZY_LENGTH && /^[a-z]+$/.test(term)

/**
 * The entries in which every term is found, the best match first; among equals, in the order they are given. This runs
 * at every key, over every listing.
 *
 * @param terms as `termsOf` makes them
 */
export function search(entries: readonly Entry[], terms: readonly string[]): readonly Entry[] {
  if (terms.length === 0) return entries
  const ranks = new Uint8Array(entries.length)
  let found: readonly number[] = positions(entries.length)
  // Long terms are in the fewest entries.
  for (const term of terms.toSorted((a, b) => b.length - a.length)) found = narrowed(entries, found, ranks, term)
  const ranked: Entry[][] = Array.from({ length: RANKS }, () => [])
  for (const at of found) ranked[ranks[at]!]!.push(entries[at]!)
  return ranked.flat()
}

/** Made once for as many entries as there were: this runs at every key. */
let all: readonly number[] = []
function positions(length: number): readonly number[] {
  if (all.length !== length) all = Array.from({ length }, (_, at) => at)
  return all
}

/** @returns positions of those that have the term; their ranks become that of their worst term */
function narrowed(entries: readonly Entry[], found: readonly number[], ranks: Uint8Array, term: string): number[] {
  const hits: number[] = []
  for (const at of found) {
    const rank = rankOf(entries[at]!, term)
    if (rank === NOWHERE) continue
    hits.push(at)
    if (rank > ranks[at]!) ranks[at] = rank
  }
  if (hits.length >= FEW || !isFuzzy(term)) return hits
  const exact = new Set(hits)
  const others = found.filter((at) => !exact.has(at))
  const texts = entries.map(({ text }) => text)
  for (const at of fuzzy.filter(texts, term, others) ?? []) {
    hits.push(at)
    ranks[at] = NEARLY
  }
  return hits
}

function rankOf({ text, nameEnd, namesEnd }: Entry, term: string): number {
  const at = text.indexOf(term)
  if (at < 0) return NOWHERE
  if (at === 0) return NAME_STARTS
  if (at < nameEnd) return isWordStart(text, at) ? NAME_STARTS : IN_NAME
  if (at < namesEnd) return IN_NAMES
  return isWordStart(text, at) ? WORD_STARTS : IN_TEXT
}

/** Chinese words are not set apart, so there each character may begin one. */
function isWordStart(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1)
  if (before < 0x80) return !/[a-z\d]/.test(text[at - 1]!)
  return !/[\p{L}\p{N}]/u.test(text[at - 1]!) || /\p{Script=Han}/u.test(text[at]!)
}
