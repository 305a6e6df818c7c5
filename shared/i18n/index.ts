/** The languages of every surface, and the messages for the ids of the contract. */
import { DEFAULTS } from '../contract/constants.ts'
import { isCategory, isRiskFlag, type Verdict } from '../contract/vocabulary.ts'
import type { NotInstallableReason } from '../install/types.ts'
import { en } from './en.ts'
import type { Locale } from './locale.ts'
import type { ContractTexts, DirectoryNote, Explained } from './types.ts'
import { zh } from './zh.ts'

export { LOCALES, type Locale, languageOfTag, resolveLocale } from './locale.ts'
export type { Explained } from './types.ts'

/** Messages by the ids that a server sends. An id newer than this client has a message, too. */
export interface ContractMessages {
  /** "Other" for null and for an unknown id. */
  category(id: string | null): string
  /** Null is a listing without a verdict: "not known", never "failed". */
  verdict(verdict: Verdict | null): Explained
  riskFlag(flag: string): Explained
  /** Why a listing has no install command, in one sentence. */
  reason(reason: NotInstallableReason): string
  /**
   * Returns a note on an install option as it reads beside the person's own command; its text is empty for a blank note.
   *
   * @param profile profile of the command that the note stands beside
   */
  note(note: string, profile?: string): Note
  /** Stands wherever an install is offered. */
  readonly notAReview: string
}

/** A note as it is shown. */
export interface Note {
  readonly text: string
  /** Somebody else's words, in whatever language they wrote: shown as a quotation. */
  readonly isQuoted: boolean
}

const TEXTS: Readonly<Record<Locale, ContractTexts>> = { en, zh }

export function contractMessages(locale: Locale): ContractMessages {
  const texts = TEXTS[locale]
  return {
    category: (id) => texts.categories[isCategory(id) ? id : 'other'],
    verdict: (verdict) => texts.verdicts[verdict ?? 'unknown'],
    riskFlag: (flag) => (isRiskFlag(flag) ? texts.riskFlags[flag] : { name: flag, sentence: texts.otherRiskFlag }),
    reason: (reason) => texts.reasons[reason],
    note: (note, profile = DEFAULTS.profile) => translateNote(note.trim(), profile, texts),
    notAReview: texts.notAReview,
  }
}

const DIRECTORY_NOTES = Object.entries(en.notes).map(
  ([id, sentence]) => [id as DirectoryNote, sentence(DEFAULTS.profile)] as const,
)

/**
 * Translates a note if the directory wrote every sentence of it, and quotes it otherwise. Leaves out the advice to put in
 * another profile where the command beside it has that profile already.
 */
function translateNote(note: string, profile: string, { notes, sentenceSpace }: ContractTexts): Note {
  const sentences: string[] = []
  let rest = note
  while (rest !== '') {
    const known = DIRECTORY_NOTES.find(([, sentence]) => rest.startsWith(sentence))
    if (known === undefined) return { text: note, isQuoted: true }
    const [id, sentence] = known
    if (id !== 'profile' || profile === DEFAULTS.profile) sentences.push(notes[id](profile))
    rest = rest.slice(sentence.length).trimStart()
  }
  return { text: sentences.join(sentenceSpace), isQuoted: false }
}
