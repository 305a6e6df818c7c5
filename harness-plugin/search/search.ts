import type { Locale } from '@plugmark/shared/i18n'
import { categoryLabels, type Entry, type Labels, riskLabels } from './entry.ts'
import { withoutPrefix } from './listings.ts'
import { type Correction, correctSpelling, type Vocabulary, vocabularyOf } from './spelling.ts'
import { meansCategory, translationsOf } from './synonyms.ts'
import { isStopWord, stemOf } from './terms.ts'

/** Ranks of a match, the best first. */
const NAME = 0
const NAME_HAS_WORD = 1
/** The name of the category, or a synonym of it that the listing has too. */
const LABEL = 2
const NAME_WORD_STARTS = 3
const IN_NAME = 4
const IN_NAMES = 5
/** The word in the first sentence of a summary, which says what a plugin is for; or the beginning of the category. */
const WORD = 6
/** The word in another sentence. */
const DETAIL = 7
/** A word that means the category, which the listing itself does not have. */
const SYNONYM = 8
const WORD_STARTS = 9
const IN_TEXT = 10
const RISK_LABEL = 11
const NOWHERE = 255

/**
 * Weight of a match, by its rank, where an entry has only some of the terms. A word of the name says more than a rare
 * word of a sentence. A term in the middle of another word is seldom that term, a detail is seldom the purpose, and a
 * synonym alone is too little.
 */
const QUALITY = [1.7, 1.7, 1, 1.1, 1, 1, 1, 0.4, 0, 0.6, 0.4, 1]
/** Number of letters from which on a word can match a label. */
const LABEL_LENGTH = 3
/** Number of letters from which on a word is corrected beside words that are found. */
const CORRECTED_LENGTH = 5
/** Number of letters from which on the beginning of a name stands for it. */
const NAME_LENGTH = 4
/** Results are filled up to this number with entries that have only some of the terms. */
const FILLED = 20
/** Share of the best score that an entry with only some of the terms must reach. */
const SCORE_SHARE = 0.5

/** Whom a search is for. */
export interface Reader {
  readonly isShown?: (entry: Entry) => boolean
  readonly locale?: Locale | null
  /** False to search the words as they are. @default true */
  readonly corrects?: boolean
}

export interface SearchResult {
  /** The best match first; equals in the given order. Those with every term come before those with some. */
  readonly entries: readonly Entry[]
  /** The terms that an entry has, of each entry that does not have them all. */
  readonly partial: ReadonlyMap<Entry, readonly string[]>
  /** The terms after spelling correction; null when nothing was corrected. */
  readonly corrected: readonly string[] | null
  /** The terms with a correction that was not applied, because other words are as near; null when there is none. */
  readonly offered: readonly string[] | null
  /** Terms that no entry has, after the correction. */
  readonly missing: readonly string[]
  /** Entries whose name is what was typed, or begins with it. */
  readonly named: ReadonlySet<Entry>
  /** Those of them whose whole name, package or id was typed. */
  readonly whole: ReadonlySet<Entry>
}

/**
 * Finds the entries that have every term in names, labels of category and risks in both languages, or summaries, and
 * fills up with those that have the rarest of them. Corrects terms that no entry has, where only one word is near. Runs
 * at every key press, over every listing.
 *
 * @param terms as `termsOf` returns them
 * @param given.isShown returns true if an entry passes the filters: results are filled up for those
 * @param given.locale the reader's language: of equal matches, those with a summary in it come first
 */
export function search(
  entries: readonly Entry[],
  terms: readonly string[],
  { isShown = () => true, locale = null, corrects = true }: Reader = {},
): SearchResult {
  if (terms.length === 0)
    return {
      entries,
      partial: new Map(),
      corrected: null,
      offered: null,
      missing: [],
      named: new Set(),
      whole: new Set(),
    }
  const columns = new Map<string, Ranks>()
  /** Returns the rank of each entry for a term. */
  function ranksOf(term: string): Ranks {
    const ranks = columns.get(term) ?? Uint8Array.from(entries, rankingByForms(term))
    columns.set(term, ranks)
    return ranks
  }
  const isMissing = (term: string) => ranksOf(term).every((rank) => rank === NOWHERE)

  let corrected: readonly string[] | null = null
  let offered: readonly string[] | null = null
  if (corrects && terms.some(isMissing)) {
    const vocabulary = vocabularyFor(entries)
    /** A correction towards something that is not shown, or cannot be installed, is worse than none. */
    const helps = (words: readonly string[]) => {
      const columns = words.map(ranksOf)
      return entries.some((entry, at) => columns.every((ranks) => ranks[at] !== NOWHERE) && isShown(entry))
    }
    // Beside words that are found, a short word or one with several neighbours is more likely right than misspelt.
    const isAlone = terms.every(isMissing)
    const isGuess = (term: string, { isSure }: Correction) => !isAlone && (!isSure || term.length < CORRECTED_LENGTH)
    const corrections = terms.map((term) => {
      const correction = isMissing(term) ? correctSpelling(term, vocabulary) : null
      return correction && !isGuess(term, correction) && helps(correction.words) ? correction : null
    })
    const meant = terms.flatMap((term, at) => corrections[at]?.words ?? term)
    if (meant.join(' ') === terms.join(' ')) corrected = null
    else if (corrections.every((correction) => correction?.isSure !== false)) corrected = meant
    else offered = meant
  }
  const used = corrected ?? terms
  const isForeign = ({ languages }: Entry) => locale !== null && languages.length > 0 && !languages.includes(locale)
  const complete = withEveryTerm(entries, used.map(ranksOf), isForeign)
  const partial =
    used.length > 1
      ? withSomeTerms(entries, used, { columns: used.map(ranksOf), complete, isShown, isForeign })
      : new Map<Entry, readonly string[]>()
  return {
    entries: [...complete, ...partial.keys()],
    partial,
    corrected,
    offered,
    missing: used.filter(isMissing),
    named: new Set(complete.filter((entry) => isNamed(entry, used))),
    whole: new Set(complete.filter((entry) => isWhole(entry, used))),
  }
}

/** The rank of each entry for a term. */
type Ranks = Uint8Array

/** Returns true if an entry has every term, and not all of them in details alone: long summaries have many words. */
const isAbout = (ranks: readonly number[]): boolean =>
  !ranks.includes(NOWHERE) && (ranks.length === 1 || ranks.some((rank) => rank < DETAIL || rank === SYNONYM))

/**
 * Returns the entries that are about every term, by the worst of their ranks, then by all of them; of equals, those
 * that the reader can read first.
 */
function withEveryTerm(
  entries: readonly Entry[],
  columns: readonly Ranks[],
  isForeign: (entry: Entry) => boolean,
): readonly Entry[] {
  const found: { readonly entry: Entry; readonly order: number }[] = []
  for (const [at, entry] of entries.entries()) {
    const ranks = columns.map((column) => column[at]!)
    if (!isAbout(ranks)) continue
    const sum = ranks.reduce((sum, rank) => sum + rank, 0)
    const order = 2 * (Math.max(...ranks) * NOWHERE * columns.length + sum) + Number(isForeign(entry))
    found.push({ entry, order })
  }
  return found.sort((a, b) => a.order - b.order).map(({ entry }) => entry)
}

/** Returns entries with some of the terms, the best first, each with its terms. A rare term counts more. */
function withSomeTerms(
  entries: readonly Entry[],
  terms: readonly string[],
  given: {
    readonly columns: readonly Ranks[]
    readonly complete: readonly Entry[]
    readonly isShown: (entry: Entry) => boolean
    readonly isForeign: (entry: Entry) => boolean
  },
): ReadonlyMap<Entry, readonly string[]> {
  const { columns, complete, isShown, isForeign } = given
  const some = new Map<Entry, readonly string[]>()
  let room = FILLED - complete.filter(isShown).length
  if (room <= 0) return some
  const isComplete = new Set(complete)
  const weights = columns.map((ranks) => {
    const count = ranks.reduce((sum, rank) => sum + (QUALITY[rank] ?? 0), 0)
    return Math.log(1 + entries.length / Math.max(1, count))
  })
  const scores = Float64Array.from(entries, (entry, at) => {
    if (isComplete.has(entry)) return 0
    return columns.reduce((sum, ranks, term) => sum + weights[term]! * (QUALITY[ranks[at]!] ?? 0), 0)
  })
  const bestOf = (isWanted: (entry: Entry) => boolean) =>
    scores.reduce((most, score, at) => (score > most && isWanted(entries[at]!) ? score : most), 0)
  const bar = SCORE_SHARE * (bestOf(isShown) || bestOf(() => true))
  const found = Array.from(entries.keys())
    .filter((at) => scores[at]! > 0 && scores[at]! >= bar)
    .toSorted((a, b) => scores[b]! - scores[a]! || Number(isForeign(entries[a]!)) - Number(isForeign(entries[b]!)))
  for (const at of found) {
    if (room === 0) break
    const entry = entries[at]!
    if (isShown(entry)) room--
    some.set(
      entry,
      terms.filter((_, term) => QUALITY[columns[term]![at]!]),
    )
  }
  return some
}

const otherNames = ({ text, nameEnd, namesEnd }: Entry): string[] => text.slice(nameEnd + 1, namesEnd).split('\n')

/** Returns true if the terms are the name, package or id of an entry. */
function isWhole(entry: Entry, terms: readonly string[]): boolean {
  const typed = terms.join('-')
  return entry.name === typed || otherNames(entry).includes(typed)
}

/** Returns true if the terms are the name, package or id of an entry, or begin its name or that of its repository. */
function isNamed(entry: Entry, terms: readonly string[]): boolean {
  if (isWhole(entry, terms)) return true
  const typed = terms.join('-')
  if (typed.length < NAME_LENGTH) return false
  const { name } = entry
  const repo = otherNames(entry)[0]?.split('/')[1] ?? ''
  return [name, repo].some((one) => {
    const words = one.replaceAll(/[\s_.]+/g, '-')
    return words.startsWith(typed) || withoutPrefix(words).startsWith(typed)
  })
}

/** Returns a function that ranks entries for a term, or for a word that means the same. */
function rankingByForms(term: string): (entry: Entry) => number {
  const [rank, ...others] = [term, ...phraseOf(term), ...translationsOf(term)].map(rankingBy)
  return others.length === 0
    ? rank!
    : (entry) => {
        const ranks = others.map((other) => other(entry)).filter((rank) => rank !== IN_NAME && rank !== IN_TEXT)
        return Math.min(rank!(entry), ...ranks)
      }
}

/** Returns a compound in several words: `side-by-side`, or `backup`, which a summary has as the verb `backs up`. */
function phraseOf(term: string): string[] {
  if (/[a-z]-[a-z]/.test(term)) return [term.replaceAll('-', ' ')]
  const [, verb, particle] = /^([a-z]{3,})(up|out|off|down|in|over|back)s?$/.exec(term) ?? []
  return verb ? [`${verb} ${particle}`] : []
}

/** Returns a function that ranks entries for a term as it is. */
function rankingBy(term: string): (entry: Entry) => number {
  const formIn = findingForms(term)
  const categories = new Map<string | null, LabelMatch>()
  const risks = new Map<string, LabelMatch>()
  return (entry) => {
    const inText = rankInText(entry, term, formIn)
    if (inText <= NAME_HAS_WORD) return inText
    const { category, riskFlags } = entry
    const label = getOrAdd(categories, category, () => matchLabel(category, term))
    if (label === 'whole' || (label === 'synonym' && inText <= DETAIL)) return Math.min(inText, LABEL)
    if (label !== null) return Math.min(inText, label === 'part' ? WORD : SYNONYM)
    if (inText !== NOWHERE) return inText
    const isRisk = riskFlags.some((flag) => getOrAdd(risks, flag, () => matchLabels(riskLabels(flag), term)) !== null)
    return isRisk ? RISK_LABEL : NOWHERE
  }
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

/** Places of a term in a text that are looked at; the first may be in the middle of a name that nobody means. */
const MOST_PLACES = 5

function rankInText(entry: Entry, term: string, formIn: (text: string) => number): number {
  let best = NOWHERE
  let at = entry.text.indexOf(term)
  for (let places = 0; at >= 0 && places < MOST_PLACES && best > IN_NAMES; places++) {
    best = Math.min(best, rankAt(entry, term, at))
    at = entry.text.indexOf(term, at + 1)
  }
  if (best <= IN_NAMES) return best
  const form = formIn(entry.text)
  if (form < 0) return best
  return Math.min(
    best,
    form < entry.nameEnd ? NAME_HAS_WORD : form < entry.namesEnd ? IN_NAMES : wordRank(entry.text, form),
  )
}

/** Returns the rank of a word at a place in a summary. */
const wordRank = (text: string, at: number): number =>
  /[.!?]\s|[。！？]/.test(text.slice(text.lastIndexOf('\n', at), at)) ? DETAIL : WORD

/** Returns a function that finds the first form of a term in a text; the particle of a verb follows it. */
function findingForms(term: string): (text: string) => number {
  if (!/^[a-z]+(?: [a-z]+)?$/.test(term)) return () => -1
  const [word = '', particle] = term.split(' ')
  const stem = stemOf(word)
  // What all forms begin with: `tak` of `take` and `taking`.
  const root = stem.replace(/(?<=..)[ei]$/, '')
  const isForm = new Map<string, boolean>()
  return (text) => {
    for (let at = text.indexOf(root); at >= 0; at = text.indexOf(root, at + 1)) {
      if (at > 0 && !isWordStart(text, at)) continue
      let end = at + root.length
      while (/[a-z\d]/.test(text[end] ?? '')) end++
      const found = text.slice(at, end)
      if (!getOrAdd(isForm, found, () => stemOf(found) === stem && !isStopWord(found))) continue
      if (particle === undefined || /^ [a-z]+/.exec(text.slice(end, end + 6))?.[0] === ` ${particle}`) return at
    }
    return -1
  }
}

function rankAt({ text, nameEnd, namesEnd }: Entry, term: string, at: number): number {
  if (at < nameEnd) {
    if (at > 0 && !isWordStart(text, at)) return IN_NAME
    const end = at + term.length
    if (end < nameEnd && /[a-z\d]/.test(text[end]!)) return NAME_WORD_STARTS
    return end === nameEnd && withoutPrefix(text.slice(0, nameEnd)) === term ? NAME : NAME_HAS_WORD
  }
  if (at < namesEnd && isWholeLine(text, at, term.length)) return NAME_HAS_WORD
  if (!isWordStart(text, at)) return IN_TEXT
  if (/[a-z\d]/.test(text[at + term.length] ?? '')) return WORD_STARTS
  return at < namesEnd ? IN_NAMES : wordRank(text, at)
}

/** Returns true if the match is a whole line: an id or a package typed in full. */
const isWholeLine = (text: string, at: number, length: number): boolean =>
  text[at - 1] === '\n' && text[at + length] === '\n'

type LabelMatch = 'whole' | 'part' | 'synonym' | null

function matchLabel(category: string | null, term: string): LabelMatch {
  return matchLabels(categoryLabels(category), term) ?? (meansCategory(term, category) ? 'synonym' : null)
}

function matchLabels({ words, han }: Labels, term: string): LabelMatch {
  if (/\p{Script=Han}/u.test(term)) return han.some((label) => label.includes(term)) ? 'whole' : null
  if (words.some((word) => stemOf(word) === stemOf(term))) return 'whole'
  return term.length >= LABEL_LENGTH && words.some((word) => word.startsWith(term)) ? 'part' : null
}

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
