import type { Locale } from '@plugmark/shared/i18n'

export const FORMATS: Readonly<Record<Locale, string>> = { en: 'en-GB', zh: 'zh-CN' }

/** Creates a format at its first use: that takes 30 ms in Node, and a program in a pipe writes no date. */
export function once<T extends object>(create: () => T): () => T {
  let created: T | null = null
  return () => (created ??= create())
}

const clockIn = (locale: Locale) =>
  once(() => new Intl.DateTimeFormat(FORMATS[locale], { dateStyle: 'medium', timeStyle: 'short' }))
const CLOCKS: Readonly<Record<Locale, () => Intl.DateTimeFormat>> = { en: clockIn('en'), zh: clockIn('zh') }

/**
 * Formats a day and a time, such as 20 Aug 2026, 14:05; one that is not a date, such as from a file that somebody edited, as
 * unknown.
 *
 * @param at ms since 1970
 */
export const formatTime = (locale: Locale, at: number): string =>
  Number.isNaN(new Date(at).getTime()) ? '?' : CLOCKS[locale]().format(at)

/** Formats a duration in the largest unit that it is a multiple of, such as 2 days. */
export function formatMinutes(locale: Locale, minutes: number): string {
  const [unit, length] = (
    [
      ['day', 1440],
      ['hour', 60],
    ] as const
  ).find(([, length]) => minutes % length === 0) ?? ['minute', 1]
  return new Intl.NumberFormat(FORMATS[locale], { style: 'unit', unit, unitDisplay: 'long' }).format(minutes / length)
}
