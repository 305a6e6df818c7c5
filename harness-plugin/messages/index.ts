import { contractMessages, createAgeFormat, type Locale } from '@plugmark/shared/i18n'
import type { Misfit, Refusal } from '../protocol/index.ts'
import { en, type Texts } from './en/index.ts'
import { FORMATS, formatTime, once } from './formats.ts'
import { zh } from './zh/index.ts'

const TEXTS: Readonly<Record<Locale, Texts>> = { en, zh }

/** Returns where a source that a user typed was looked for. */
const placeOf = (source: string) =>
  source.startsWith('github:') ? 'codeHost' : /^(?:[/~]|[a-z]:)/i.test(source) ? 'disk' : 'registry'

const DAY_MS = 86_400_000
const UNITS = [
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** Every text of the store in one language, on a screen or in a terminal. */
export type Messages = ReturnType<typeof createMessages>

function createMessages(locale: Locale) {
  const format = FORMATS[locale]
  const dayOptions = { year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' } as const
  const day = once(() => new Intl.DateTimeFormat(format, dayOptions))
  const age = createAgeFormat(locale)
  const relative = once(() => new Intl.RelativeTimeFormat(format, { numeric: 'auto' }))
  const conjunction = once(() => new Intl.ListFormat(format, { type: 'conjunction' }))
  const hour = once(() => new Intl.DateTimeFormat(format, { timeStyle: 'short' }))
  const localDay = once(() => new Intl.DateTimeFormat(format, { dateStyle: 'medium' }))
  /** Returns the time of day for today, and the day for earlier. */
  const hourOrDay = (at: number, now: number) =>
    (new Date(at).toDateString() === new Date(now).toDateString() ? hour() : localDay()).format(at)
  const unit = { style: 'unit', maximumFractionDigits: 1 } as const
  const kilobytes = once(() => new Intl.NumberFormat(format, { ...unit, unit: 'kilobyte' }))
  const megabytes = once(() => new Intl.NumberFormat(format, { ...unit, unit: 'megabyte' }))
  const number = once(() => new Intl.NumberFormat(format))
  return {
    ...TEXTS[locale],
    locale,
    /** Texts for the ids of the contract. */
    contract: contractMessages(locale),
    sentences: (...sentences: readonly string[]) => sentences.join(locale === 'zh' ? '' : ' '),
    /** Returns why a call was refused, and what to do next. */
    refusal({ code, reason, names = [] }: Refusal): string {
      if (reason !== undefined) return this.contract.reason(reason)
      if (code === 'unknown-source' && names[0] !== undefined)
        return this.unlisted.notFound[placeOf(names[0])](names[0])
      return this.sentences(this.refused[code], ...(names.length > 0 ? [names.join(' → ')] : []))
    },
    list: (items: readonly string[]) => conjunction().format(items),
    number: (value: number) => number().format(value),
    /** Formats a size, such as 82 kB. */
    bytes: (value: number) =>
      value < 1_000_000 ? kilobytes().format(Math.max(1, Math.round(value / 1000))) : megabytes().format(value / 1e6),
    /** Formats a day, such as 20 Aug 2026. Returns null for null and for an invalid date. */
    date: (iso: string | null) => (iso === null || Number.isNaN(Date.parse(iso)) ? null : day().format(new Date(iso))),
    /** Returns why a plugin does not fit, such as “Did not start here, 22:21”. */
    misfit: ({ reason, triedAt }: Misfit, now = Date.now()) =>
      TEXTS[locale].fit.misfit[reason](triedAt === null ? '' : hourOrDay(triedAt, now)),
    /** @param at ms since 1970 */
    time: (at: number) => formatTime(locale, at),
    /** Formats an age in the largest unit that fits: 3 days ago. @param at @param now ms since 1970 */
    ago(at: number, now: number) {
      if (now - at >= DAY_MS) return age(now - at)
      const found = UNITS.find(([, ms]) => now - at >= ms)
      if (found === undefined) return TEXTS[locale].justNow
      const [unit, ms] = found
      return relative().format(-Math.floor((now - at) / ms), unit)
    },
  }
}

const created = new Map<Locale, Messages>()

export function messagesFor(locale: Locale): Messages {
  const messages = created.get(locale) ?? createMessages(locale)
  created.set(locale, messages)
  return messages
}
