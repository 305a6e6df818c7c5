import type { IndexDifference, IndexStatus } from '@plugmark/shared/index-cache'
import type { App } from '../../app.ts'
import { report, reportAs } from '../../base/report.ts'
import { DATE_LOCALES } from '../../i18n/index.ts'
import { createButton } from '../../ui/buttons.ts'
import { element } from '../../ui/element.ts'
import { displayText } from '../../ui/text.ts'
import { SETTINGS_WORDS } from './settings-words.ts'

/** An index that was refreshed longer ago than this was not refreshed by the request that just ended. ms */
const JUST_NOW_MS = 60_000

/** Creates the facts of the stored index, and buttons that refresh and delete it. */
export function createIndexSection(app: App): HTMLElement {
  const { index, directory } = app
  const locale = app.locale()
  const words = SETTINGS_WORDS[locale]
  const facts = element('div', {})
  const outcome = element('div', { class: 'plugmark-muted', role: 'status' })

  const time = new Intl.DateTimeFormat(DATE_LOCALES[locale], { dateStyle: 'medium', timeStyle: 'short' })
  const formatTime = (generated: string) => time.format(new Date(generated))

  const describe = ({ generated, count, ageMs }: IndexStatus): string => {
    if (generated === null || ageMs === null) return words.nothingStored
    const number = new Intl.NumberFormat(locale)
    return words.stored(number.format(count), formatTime(generated), formatAge(ageMs, locale))
  }
  const show = (status: IndexStatus) => {
    facts.replaceChildren(describe(status))
    if (!status.isSaved && status.generated) facts.append(' ', words.notStored)
  }
  const failureOf = ({ failure }: IndexStatus) => (failure ? words.failed(words.failures[failure.kind](failure)) : '')

  /** @param task resolves to a sentence about its outcome */
  const run = async (task: () => Promise<string>) => {
    try {
      outcome.textContent = await task()
    } catch (error) {
      report('settings: index', error)
      outcome.textContent = words.failed(words.failures.other({ status: null }))
    }
    show(await directory.index.status())
  }
  const describeDifference = ({ offered, stored }: IndexDifference): string =>
    offered.site === stored.site
      ? words.olderList(formatTime(offered.generated), formatTime(stored.generated))
      : words.otherSite(displayText(offered.site), displayText(stored.site))
  const refresh = (replace: boolean) => {
    outcome.textContent = words.refreshing
    if (replaceButton.contains(document.activeElement)) refreshButton.focus()
    replaceButton.remove()
    return run(async () => {
      const status = await index.refresh({ replace })
      if (status.difference) {
        refreshButton.after(replaceButton)
        return describeDifference(status.difference)
      }
      const isFresh = status.ageMs !== null && status.ageMs < JUST_NOW_MS
      return failureOf(status) || (isFresh ? words.refreshed : words.busy)
    })
  }
  const clear = () =>
    run(async () => {
      await index.clear()
      return words.cleared
    })

  directory.index.status().then((status) => {
    show(status)
    outcome.textContent ||= failureOf(status)
    // Then nothing works yet, and that may be the reason why the user opened the settings.
    if (status.failure && status.generated === null) outcome.scrollIntoView(false)
  }, reportAs('settings: index'))
  const refreshButton = createButton('plugmark-button', () => refresh(false), words.refresh)
  const replaceButton = createButton('plugmark-button', () => refresh(true), words.replace)
  const buttons = element(
    'div',
    { class: 'plugmark-links' },
    refreshButton,
    createButton('plugmark-button', clear, words.clear),
  )
  return element('div', { class: 'plugmark-stack' }, facts, buttons, outcome)
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** Returns an age in the largest unit that fits: “3 hours ago”, “this minute”. */
function formatAge(ms: number, locale: string): string {
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const [unit, length] = UNITS.find(([, length]) => ms >= length) ?? UNITS[2]
  return format.format(-Math.floor(ms / length), unit)
}
