/** The languages of every surface, and the messages for the ids of the contract. */
import { checkAgeMs, type VerdictTone, verdictTone } from '../contract/verdicts.ts'
import { isCategory, isRiskFlag, type Verdict } from '../contract/vocabulary.ts'
import type { NotInstallableReason } from '../install/command.ts'
import { type ContractTexts, type Explained, en } from './en.ts'
import type { Locale } from './locale.ts'
import { zh } from './zh.ts'

export type { Explained } from './en.ts'
export { LOCALES, type Locale, languageOfTag, resolveLocale } from './locale.ts'

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
  /** Shown wherever an install is offered. */
  readonly notAReview: string
}

export interface VerdictLabel {
  readonly text: string
  readonly tone: VerdictTone
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
      const ageMs = verdict === null ? null : checkAgeMs(checkedAt, now)
      const aged = (ms: number) => (verdict === 'passed' ? texts.passed(age(ms)) : texts.checked(name, age(ms)))
      return {
        text: ageMs === null ? name : aged(ageMs),
        tone: verdictTone(verdict, checkedAt, now),
      }
    },
    riskFlag: (flag) => (isRiskFlag(flag) ? texts.riskFlags[flag] : { name: flag, sentence: texts.otherRiskFlag }),
    reason: (reason) => texts.reasons[reason],
    notAReview: texts.notAReview,
  }
}

const DAY_MS = 24 * 60 * 60_000
const MONTH_DAYS = 365.25 / 12

/** Creates a function that writes an age in ms in days, months or years, such as `yesterday` and `3 months ago`. */
export function createAgeFormat(locale: Locale): (ms: number) => string {
  // Created at the first use: that takes 30 ms in Node, and a program in a pipe writes no age.
  let near: Intl.RelativeTimeFormat | undefined
  let far: Intl.RelativeTimeFormat | undefined
  return (ms) => {
    const days = Math.max(0, Math.floor(ms / DAY_MS))
    const months = Math.floor(days / MONTH_DAYS)
    if (months === 0) {
      near ??= new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
      return near.format(-days, 'day')
    }
    far ??= new Intl.RelativeTimeFormat(locale)
    return months < 12 ? far.format(-months, 'month') : far.format(-Math.floor(months / 12), 'year')
  }
}
