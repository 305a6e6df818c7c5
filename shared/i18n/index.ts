/** The languages of every surface, and the messages for the ids of the contract. */
import { DEFAULTS } from '../contract/constants.ts'
import { type VerdictTone, verdictTone } from '../contract/verdicts.ts'
import { isCategory, isRiskFlag, type Verdict } from '../contract/vocabulary.ts'
import type { NotInstallableReason } from '../install/types.ts'
import { createAgeFormat } from './age.ts'
import { en } from './en.ts'
import type { Locale } from './locale.ts'
import type { ContractTexts, DirectoryNote, Explained } from './types.ts'
import { zh } from './zh.ts'

export { createAgeFormat } from './age.ts'
export { LOCALES, type Locale, languageOfTag, resolveLocale } from './locale.ts'
export type { Explained } from './types.ts'

/** Messages for the ids that a server sends, including ids newer than this client. */
export interface ContractMessages {
  /** "Other" for null and for an unknown id. */
  category(id: string | null): string
  /** Null means that the listing has no verdict: "not known", never "failed". */
  verdict(verdict: Verdict | null): Explained
  /**
   * Returns a verdict with the age of its install check, the same on every surface: “Install check passed 3 months ago”.
   *
   * @param checkedAt ISO 8601; null when it is unknown
   * @param now ms since 1970
   */
  verdictLabel(verdict: Verdict | null, checkedAt: string | null, now?: number): VerdictLabel
  riskFlag(flag: string): Explained
  /** Reason why a listing has no install command, in one sentence. */
  reason(reason: NotInstallableReason): string
  /**
   * Returns a note on an install option, adapted to the user's own command; its text is empty for a blank note.
   *
   * @param profile profile of the command that the note stands beside
   */
  note(note: string, profile?: string): Note
  /** Shown wherever an install is offered. */
  readonly notAReview: string
}

export interface VerdictLabel {
  readonly text: string
  readonly tone: VerdictTone
}

/** A note in the form that is shown. */
export interface Note {
  readonly text: string
  /** True for another author's text, in any language: shown as a quotation. */
  readonly isQuoted: boolean
}

const TEXTS: Readonly<Record<Locale, ContractTexts>> = { en, zh }

export function contractMessages(locale: Locale): ContractMessages {
  const texts = TEXTS[locale]
  const age = createAgeFormat(locale)
  return {
    category: (id) => texts.categories[isCategory(id) ? id : 'other'],
    verdict: (verdict) => texts.verdicts[verdict ?? 'unknown'],
    verdictLabel(verdict, checkedAt, now = Date.now()) {
      const { name } = texts.verdicts[verdict ?? 'unknown']
      const at = verdict === null ? Number.NaN : Date.parse(checkedAt ?? '')
      const aged = () => (verdict === 'passed' ? texts.passed(age(now - at)) : texts.checked(name, age(now - at)))
      return {
        text: Number.isNaN(at) ? name : aged(),
        tone: verdictTone(verdict, checkedAt, now),
      }
    },
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
 * Translates a note if the directory wrote every sentence of it, and quotes it otherwise. Leaves out the advice to
 * insert another profile when the command beside it already has that profile.
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
