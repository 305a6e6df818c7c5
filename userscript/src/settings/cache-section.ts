import type { IndexStatus } from '@plugmark/shared/index-cache'
import type { Messages } from '../i18n/index.ts'
import { createButton } from '../ui/buttons.ts'
import { element } from '../ui/element.ts'

/** The copy of the index in this browser. */
export interface IndexCache {
  status(): Promise<IndexStatus>
  /** Downloads the index, whatever the age of the copy. */
  refresh(): Promise<IndexStatus>
  clear(): Promise<void>
}

/** An index that was checked longer ago than this was not checked by the refresh that just ended. ms */
const JUST_NOW_MS = 60_000

/** What is stored of the directory's index, and buttons that refresh and delete it. */
export function createCacheSection({ locale, dateLocale, settings: text }: Messages, cache: IndexCache): HTMLElement {
  const facts = element('div', {})
  const outcome = element('div', { class: 'plugmark-muted', role: 'status' })

  const describe = ({ generated, count, ageMs }: IndexStatus): string => {
    if (generated === null || ageMs === null) return text.noCopy
    const time = new Intl.DateTimeFormat(dateLocale, { dateStyle: 'medium', timeStyle: 'short' })
    const number = new Intl.NumberFormat(locale)
    return text.copy(number.format(count), time.format(new Date(generated)), formatAge(ageMs, locale))
  }
  const show = (status: IndexStatus) => {
    facts.replaceChildren(describe(status))
    if (!status.isSaved && status.generated) facts.append(' ', text.notKept)
  }
  const failureOf = ({ failure }: IndexStatus) => (failure ? text.failed(failure.message) : '')

  /** @param task resolves to what to say of its outcome */
  const run = async (task: () => Promise<string>) => {
    try {
      outcome.textContent = await task()
    } catch (error) {
      outcome.textContent = text.failed(String(error))
    }
    show(await cache.status())
  }
  const refresh = () => {
    outcome.textContent = text.refreshing
    return run(async () => {
      const status = await cache.refresh()
      const isFresh = status.ageMs !== null && status.ageMs < JUST_NOW_MS
      return failureOf(status) || (isFresh ? text.refreshed : text.busy)
    })
  }
  const clear = () =>
    run(async () => {
      await cache.clear()
      return text.cleared
    })

  cache.status().then((status) => {
    show(status)
    outcome.textContent ||= failureOf(status)
    // Then nothing works yet, and that may be why the person opened the settings.
    if (status.failure && status.generated === null) outcome.scrollIntoView(false)
  })
  const buttons = element(
    'div',
    { class: 'plugmark-links' },
    createButton('plugmark-button', refresh, text.refresh),
    createButton('plugmark-button', clear, text.clear),
  )
  return element('div', { class: 'plugmark-stack' }, facts, buttons, outcome)
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** How long ago, in the largest unit that fits: “3 hours ago”, “this minute”. */
function formatAge(ms: number, locale: string): string {
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const [unit, length] = UNITS.find(([, length]) => ms >= length) ?? UNITS[2]
  return format.format(-Math.floor(ms / length), unit)
}
