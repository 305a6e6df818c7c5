import { type ContractMessages, contractMessages, type Locale } from '@plugmark/shared/i18n'
import { en } from './en.ts'
import type { StoreWords } from './types.ts'
import { zh } from './zh.ts'

export type { StoreWords } from './types.ts'

/** Everything the screen says in one language, and the ways it writes numbers and dates. */
export interface Lexicon {
  readonly language: Locale
  readonly store: StoreWords
  readonly ids: ContractMessages
  /** Sentences of one paragraph. */
  sentences(...sentences: readonly string[]): string
  number(value: number): string
  /** A day, such as 20 Aug 2026. Null for null and for what is no date. */
  date(iso: string | null): string | null
  time(at: number): string
  /** How long ago, in the largest unit of which there is one: 3 days ago. */
  ago(at: number, now: number): string
}

const LOCALES: Readonly<Record<Locale, string>> = { en: 'en-GB', zh: 'zh-CN' }

const LEAST = ['minute', 60_000] as const
const UNITS = [['day', 86_400_000], ['hour', 3_600_000], LEAST] as const

export function lexicon(language: Locale): Lexicon {
  const locale = LOCALES[language]
  const day = new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' })
  const clock = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const number = new Intl.NumberFormat(locale)
  return {
    language,
    store: { en, zh }[language],
    ids: contractMessages(language),
    sentences: (...sentences) => sentences.join(language === 'zh' ? '' : ' '),
    number: (value) => number.format(value),
    date: (iso) => (iso === null || Number.isNaN(Date.parse(iso)) ? null : day.format(new Date(iso))),
    time: (at) => clock.format(at),
    ago(at, now) {
      const [unit, ms] = UNITS.find(([, ms]) => now - at >= ms) ?? LEAST
      return relative.format(-Math.max(0, Math.floor((now - at) / ms)), unit)
    },
  }
}
