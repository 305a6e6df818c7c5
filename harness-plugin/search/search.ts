import type { Entry, Labels } from './entry.ts'
import { correctSpelling, type Vocabulary, vocabularyOf } from './spelling.ts'

/** Ranks of a match, the best first. */
const NAME_HAS_WORD = 0
/** Short words begin many others: `fun` means the category rather than `function`. */
const SHORT_LABEL = 1
const NAME_WORD_STARTS = 2
const IN_NAME = 3
const IN_NAMES = 4
const LABEL = 5
const WORD_STARTS = 6
const IN_TEXT = 7
const RISK_LABEL = 8
const RANKS = 9
const NOWHERE = 255

/** Number of letters from which on a word can match a label. */
const LABEL_LENGTH = 3
/** Share of the best score that an entry with only some of the terms must reach. */
const SCORE_SHARE = 0.75

export interface SearchResult {
  /** Sorted, the best match first; equals in the given order. */
  readonly entries: readonly Entry[]
  /** False when no entry has all terms. Then these have most of them, weighted by how rare each term is. */
  readonly hasEveryTerm: boolean
  /** The terms after spelling correction; null when nothing was corrected. */
  readonly corrected: readonly string[] | null
  /** Terms that no entry has, and that could not be corrected. */
  readonly missing: readonly string[]
  /** Ids of the entries that have every term in their own name. */
  readonly named: ReadonlySet<string>
}

/**
 * Finds the entries that have every term in names, labels of category and risks in both languages, or summaries. When
 * there are none, corrects terms that no entry has; when that does not help, finds the entries with most of the terms.
 * Runs at every key press, over every listing.
 *
 * @param terms as `termsOf` returns them
 * @param passing returns the entries that pass the filters: the best of those sets the bar for the others
 */
export function search(
  entries: readonly Entry[],
  terms: readonly string[],
  passing: () => readonly Entry[] = () => entries,
): SearchResult {
  const nothing = { entries, hasEveryTerm: true, corrected: null, missing: [], named: NO_IDS }
  if (terms.length === 0) return nothing
  const exact = withEveryTerm(entries, terms)
  if (exact.entries.length > 0) return { ...nothing, ...exact }
  const corrected = terms.flatMap((term) => {
    if (isFound(entries, term)) return term
    return correctSpelling(term, vocabularyFor(entries)) ?? term
  })
  const isCorrected = corrected.join(' ') !== terms.join(' ')
  const meant = { ...nothing, corrected: isCorrected ? corrected : null }
  const all = isCorrected ? withEveryTerm(entries, corrected) : exact
  if (all.entries.length > 0) return { ...meant, ...all }
  const missing = corrected.filter((term) => !isFound(entries, term))
  if (corrected.length < 2) return { ...nothing, entries: [], missing }
  return { ...meant, entries: withMostTerms(entries, corrected, passing()), hasEveryTerm: false, missing }
}

const NO_IDS: ReadonlySet<string> = new Set()

function withEveryTerm(entries: readonly Entry[], terms: readonly string[]): Pick<SearchResult, 'entries' | 'named'> {
  const columns = terms.map((term) => ranksFor(entries, term))
  const byRank: Entry[][] = Array.from({ length: RANKS }, () => [])
  for (let at = 0; at < entries.length; at++) {
    let worst = 0
    for (const ranks of columns) if (ranks[at]! > worst) worst = ranks[at]!
    if (worst !== NOWHERE) byRank[worst]!.push(entries[at]!)
  }
  const named = [NAME_HAS_WORD, NAME_WORD_STARTS, IN_NAME].flatMap((rank) => byRank[rank]!)
  return { entries: byRank.flat(), named: new Set(named.map(({ listing }) => listing.id)) }
}

/** Returns the entries with most of the terms, the best first. A rare term counts more than a frequent one. */
function withMostTerms(entries: readonly Entry[], terms: readonly string[], passing: readonly Entry[]): Entry[] {
  const scores = new Float64Array(entries.length)
  for (const term of terms) {
    const ranks = ranksFor(entries, singularOf(term))
    const found = ranks.reduce((count, rank) => (rank === NOWHERE ? count : count + 1), 0)
    const weight = Math.log(1 + entries.length / Math.max(1, found))
    for (let at = 0; at < entries.length; at++) if (ranks[at] !== NOWHERE) scores[at]! += weight * QUALITY[ranks[at]!]!
  }
  const shown = new Set(passing)
  let [best, bestShown] = [0, 0]
  for (let at = 0; at < entries.length; at++) {
    best = Math.max(best, scores[at]!)
    if (shown.has(entries[at]!)) bestShown = Math.max(bestShown, scores[at]!)
  }
  if (best === 0) return []
  const bar = SCORE_SHARE * (bestShown || best)
  return Array.from(entries, (entry, at) => ({ entry, score: scores[at]! }))
    .filter(({ score }) => score >= bar)
    .toSorted((a, b) => b.score - a.score)
    .map(({ entry }) => entry)
}

/** Weight of a match, by its rank. A term in the middle of another word is seldom that term. */
const QUALITY = [1.1, 1.1, 1.1, 1, 1, 1, 1, 0.4, 1]

/** Returns the singular of a term, which also matches the plural. */
const singularOf = (term: string): string => (/^[a-z]{4,}[^sui]s$/.test(term) ? term.slice(0, -1) : term)

const isFound = (entries: readonly Entry[], term: string): boolean =>
  ranksFor(entries, term).some((rank) => rank !== NOWHERE)

/** Number of terms whose ranks are cached: while a person types, only the last term changes. */
const MOST_KEPT = 12
const kept = new WeakMap<readonly Entry[], Map<string, Uint8Array>>()

/** Returns the rank of each entry for a term. */
function ranksFor(entries: readonly Entry[], term: string): Uint8Array {
  const known = kept.get(entries) ?? new Map<string, Uint8Array>()
  kept.set(entries, known)
  let ranks = known.get(term)
  if (ranks === undefined) {
    const rankOf = rankingBy(term)
    ranks = Uint8Array.from(entries, rankOf)
  }
  // Insert it as the newest again.
  known.delete(term)
  known.set(term, ranks)
  const [oldest] = known.keys()
  if (known.size > MOST_KEPT && oldest !== undefined) known.delete(oldest)
  return ranks
}

function rankingBy(term: string): (entry: Entry) => number {
  const isShort = term.length <= LABEL_LENGTH
  // Many listings share few labels.
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
  if (at < namesEnd) return isWholeLine(text, at, term.length) ? NAME_HAS_WORD : IN_NAMES
  return isWordStart(text, at) ? WORD_STARTS : IN_TEXT
}

/** Returns true if the match is a whole line: an id or a package typed in full. */
const isWholeLine = (text: string, at: number, length: number): boolean =>
  text[at - 1] === '\n' && text[at + length] === '\n'

function matchLabel({ words, han }: Labels, term: string): 'whole' | 'part' | null {
  if (/\p{Script=Han}/u.test(term)) return han.some((label) => label.includes(term)) ? 'part' : null
  if (words.includes(term)) return 'whole'
  return term.length >= LABEL_LENGTH && words.some((word) => word.startsWith(term)) ? 'part' : null
}

/** Returns true if a term matches one of the labels. */
export const matchesLabel = (labels: Labels, term: string): boolean => matchLabel(labels, term) !== null

/** Returns true at the start of a word. Chinese has no spaces, so there each character may start one. */
function isWordStart(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1)
  if (before < 0x80) return !/[a-z\d]/.test(text[at - 1]!)
  return !/[\p{L}\p{N}]/u.test(text[at - 1]!) || /\p{Script=Han}/u.test(text[at]!)
}

/** Prepares spelling correction, so that the first one is not slow. */
export const prepareSearch = (entries: readonly Entry[]): void => void vocabularyFor(entries)

const vocabularies = new WeakMap<readonly Entry[], Vocabulary>()
function vocabularyFor(entries: readonly Entry[]): Vocabulary {
  const known = vocabularies.get(entries) ?? vocabularyOf(entries)
  vocabularies.set(entries, known)
  return known
}
