import type { Locale } from './locale.ts'

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
