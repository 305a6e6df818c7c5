import type { Entry, Labels } from './entry.ts'
import { mended, type Vocabulary, vocabularyOf } from './slips.ts'

/** How well a term is matched, the best first. */
const NAME_HAS_WORD = 0
/** Short words begin many others: of `fun`, the category is meant before `function`. */
const SHORT_LABEL = 1
const NAME_WORD_STARTS = 2
const IN_NAME = 3
const IN_NAMES = 4
const LABEL = 5
const WORD_STARTS = 6
const IN_TEXT = 7
const RISK_LABEL = 8
const RANKS = 9
const NOWHERE = -1

/** With fewer hits than this, slips are forgiven. */
const FEW = 3
/** A label is meant from so many letters on. */
const LABEL_LENGTH = 3

export interface Found {
  /** The best match first; among equals, in the order they were given. */
  readonly entries: readonly Entry[]
  /** The words that were meant, where they are others than those that were asked for. */
  readonly meant: readonly string[] | null
  /** Ids of those that have every term in their own name. */
  readonly named: ReadonlySet<string>
}

/**
 * The entries in which every term is found: in names, labels of category and risks in both languages, summaries. Where
 * that are few, those of the words that were meant come behind. This runs at every key, over every listing.
 *
 * @param terms as `termsOf` makes them
 */
export function search(entries: readonly Entry[], terms: readonly string[]): Found {
  if (terms.length === 0) return { entries, meant: null, named: NONE }
  const exact = ranked(entries, terms)
  if (exact.entries.length >= FEW) return { ...exact, meant: null }
  const meant = meantBy(entries, terms)
  const more = meant && ranked(entries, meant)
  const here = new Set(exact.entries)
  const others = more?.entries.filter((entry) => !here.has(entry)) ?? []
  if (!more || others.length === 0) return { ...exact, meant: null }
  return {
    entries: [...exact.entries, ...others],
    meant,
    named: new Set([...exact.named, ...more.named]),
  }
}

const NONE: ReadonlySet<string> = new Set()

function ranked(entries: readonly Entry[], terms: readonly string[]): Omit<Found, 'meant'> {
  const ranks = new Uint8Array(entries.length)
  let found: readonly number[] = positions(entries.length)
  // Long terms are in the fewest entries.
  for (const term of terms.toSorted((a, b) => b.length - a.length)) found = narrowed(entries, found, ranks, term)
  const byRank: Entry[][] = Array.from({ length: RANKS }, () => [])
  for (const at of found) byRank[ranks[at]!]!.push(entries[at]!)
  const named = [NAME_HAS_WORD, NAME_WORD_STARTS, IN_NAME].flatMap((rank) => byRank[rank]!)
  return { entries: byRank.flat(), named: new Set(named.map(({ listing }) => listing.id)) }
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
  const rankOf = rankingBy(term)
  for (const at of found) {
    const rank = rankOf(entries[at]!)
    if (rank === NOWHERE) continue
    hits.push(at)
    if (rank > ranks[at]!) ranks[at] = rank
  }
  return hits
}

function rankingBy(term: string): (entry: Entry) => number {
  const isShort = term.length <= LABEL_LENGTH
  // Few labels are shared by many listings.
  const matches = new Map<Labels, 'whole' | 'part' | null>()
  function labelMatch(labels: Labels) {
    const known = matches.get(labels)
    if (known !== undefined) return known
    const match = matchLabel(labels, term)
    matches.set(labels, match)
    return match
  }
  return (entry) => {
    const inText = rankInText(entry, term)
    if (inText === NAME_HAS_WORD || (inText !== NOWHERE && inText < LABEL && !isShort)) return inText
    const label = labelMatch(entry.categoryLabels)
    if (label === 'whole' && isShort) return SHORT_LABEL
    if (inText !== NOWHERE) return label === null ? inText : Math.min(inText, LABEL)
    if (label !== null) return LABEL
    return labelMatch(entry.riskLabels) === null ? NOWHERE : RISK_LABEL
  }
}

function rankInText({ text, nameEnd, namesEnd }: Entry, term: string): number {
  const at = text.indexOf(term)
  if (at < 0) return NOWHERE
  if (at < nameEnd) {
    if (at > 0 && !isWordStart(text, at)) return IN_NAME
    const end = at + term.length
    return end >= nameEnd || !/[a-z\d]/.test(text[end]!) ? NAME_HAS_WORD : NAME_WORD_STARTS
  }
  if (at < namesEnd) return IN_NAMES
  return isWordStart(text, at) ? WORD_STARTS : IN_TEXT
}

function matchLabel({ words, han }: Labels, term: string): 'whole' | 'part' | null {
  if (/\p{Script=Han}/u.test(term)) return han.some((label) => label.includes(term)) ? 'part' : null
  if (words.includes(term)) return 'whole'
  return term.length >= LABEL_LENGTH && words.some((word) => word.startsWith(term)) ? 'part' : null
}

/** Chinese words are not set apart, so there each character may begin one. */
function isWordStart(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1)
  if (before < 0x80) return !/[a-z\d]/.test(text[at - 1]!)
  return !/[\p{L}\p{N}]/u.test(text[at - 1]!) || /\p{Script=Han}/u.test(text[at]!)
}

/** Works out ahead what a search of these entries may need; else the first one that finds little takes that long. */
export const prepareSearch = (entries: readonly Entry[]): void => void vocabularyFor(entries)

/** Made once for as long as the entries are these. */
const vocabularies = new WeakMap<readonly Entry[], Vocabulary>()
function vocabularyFor(entries: readonly Entry[]): Vocabulary {
  const known = vocabularies.get(entries)
  if (known) return known
  const made = vocabularyOf(entries)
  vocabularies.set(entries, made)
  return made
}

/** The terms with what was meant by those that are hardly found; null when all are meant as they stand. */
function meantBy(entries: readonly Entry[], terms: readonly string[]): readonly string[] | null {
  const vocabulary = vocabularyFor(entries)
  const meant = terms.flatMap((term) => {
    const hits = hitsOf(entries, term)
    return hits >= FEW ? term : (mended(term, vocabulary, hits) ?? term)
  })
  return meant.join(' ') === terms.join(' ') ? null : meant
}

/** Up to as many as are not few. */
function hitsOf(entries: readonly Entry[], term: string): number {
  let hits = 0
  const rankOf = rankingBy(term)
  for (const entry of entries) if (rankOf(entry) !== NOWHERE && ++hits >= FEW) break
  return hits
}
