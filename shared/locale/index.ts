/** English and Chinese words for the contract's ids. */
import { isCategory, isRiskFlag, type Verdict } from '../contract/vocabulary.ts'
import type { NotInstallableReason } from '../install/types.ts'
import { en } from './en.ts'
import { type Note, noteIn } from './notes.ts'
import type { Explained, Language, Lexicon } from './types.ts'
import { zh } from './zh.ts'

export type { Note } from './notes.ts'
export { LANGUAGES, pickLanguage, primaryOf } from './pick.ts'
export type { Explained, Language } from './types.ts'

const LEXICONS: Readonly<Record<Language, Lexicon>> = { en, zh }
/** The words of one language, looked up by the ids a server sends; ids newer than this client have words too. */
export interface Words {
  /** "Other" for null and for an id that is not known. */
  category(id: string | null): string
  /** Null is a listing without a verdict: "not known", never "failed". */
  verdict(verdict: Verdict | null): Explained
  riskFlag(flag: string): Explained
  /** Why a listing has no install command, in one sentence. */
  reason(reason: NotInstallableReason): string
  /** What is said of a way to install; empty for a note without words. */
  note(note: string): Note
  /** The sentence that stands wherever an install is offered. */
  readonly notAReview: string
}

export function words(language: Language): Words {
  const lexicon = LEXICONS[language]
  return {
    category: (id) => lexicon.categories[isCategory(id) ? id : 'other'],
    verdict: (verdict) => lexicon.verdicts[verdict ?? 'unknown'],
    riskFlag: (flag) => (isRiskFlag(flag) ? lexicon.riskFlags[flag] : { name: flag, sentence: lexicon.otherRiskFlag }),
    reason: (reason) => lexicon.reasons[reason],
    note: (note) => noteIn(language, note),
    notAReview: lexicon.notAReview,
  }
}
