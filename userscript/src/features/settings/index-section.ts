import type { IndexDifference, IndexStatus } from '@plugmark/shared/index-cache'
import type { App } from '../../app.ts'
import { report, reportAs } from '../../base/report.ts'
import { DATE_LOCALES, type Locale } from '../../i18n/index.ts'
import { removeStart, startKey } from '../../start/stored-start.ts'
import { createButton } from '../../ui/buttons.ts'
import { displayText, element } from '../../ui/element.ts'
import { SETTINGS_WORDS } from './settings-words.ts'

/** An index that was refreshed longer ago than this was not refreshed by the request that just ended. ms */
const JUST_NOW_MS = 60_000

type Words = (typeof SETTINGS_WORDS)[Locale]

/** Creates the facts of the stored index, and buttons that refresh and delete it. `translate` writes all its texts. */
export function createIndexSection(app: App): { readonly node: HTMLElement; translate(): void } {
  const { index, directory } = app
  const facts = element('div', {})
  const outcome = element('div', { class: 'plugmark-muted', role: 'status' })
  let status: IndexStatus | null = null
  /** Says what came of the last press. */
  let sentence: (words: Words) => string = () => ''

  const formatTime = (generated: string) =>
    new Intl.DateTimeFormat(DATE_LOCALES[app.locale()], { dateStyle: 'medium', timeStyle: 'short' }).format(
      new Date(generated),
    )
  const describe = (words: Words, { generated, count, ageMs, isSaved }: IndexStatus): string => {
    if (generated === null || ageMs === null) return words.nothingStored
    const number = new Intl.NumberFormat(app.locale()).format(count)
    const stored = words.stored(number, formatTime(generated), formatAge(ageMs, app.locale()))
    return isSaved ? stored : `${stored} ${words.notStored}`
  }
  const translate = () => {
    const words = SETTINGS_WORDS[app.locale()]
    refreshButton.textContent = words.refresh
    replaceButton.textContent = words.replace
    clearButton.textContent = words.clear
    facts.textContent = status && describe(words, status)
    outcome.textContent = sentence(words)
  }
  const failureOf =
    ({ failure }: IndexStatus) =>
    (words: Words) =>
      failure ? words.failed(words.failures[failure.kind].replace('{status}', String(failure.status))) : ''

  let latest = 0
  /** @param task resolves to a sentence about its outcome, which is shown unless the user has started another one */
  const run = async (task: () => Promise<typeof sentence>) => {
    const turn = ++latest
    const result = await task().catch((error) => {
      report('settings: index', error)
      return (words: Words) => words.failed(words.failures.other)
    })
    if (turn === latest) sentence = result
    translate()
    status = await directory.index.status()
    translate()
  }
  const describeDifference =
    ({ offered, stored }: IndexDifference) =>
    (words: Words): string =>
      offered.site === stored.site
        ? words.olderList(formatTime(offered.generated), formatTime(stored.generated))
        : words.otherSite(displayText(offered.site), displayText(stored.site))
  const refresh = (replace: boolean) => {
    sentence = (words) => words.refreshing
    translate()
    if (replaceButton.contains(document.activeElement)) refreshButton.focus()
    replaceButton.remove()
    return run(async () => {
      const refreshed = await index.refresh({ replace })
      if (refreshed.difference) {
        refreshButton.after(replaceButton)
        return describeDifference(refreshed.difference)
      }
      if (refreshed.failure) return failureOf(refreshed)
      const isFresh = refreshed.ageMs !== null && refreshed.ageMs < JUST_NOW_MS
      return (words) => (isFresh ? words.refreshed : words.busy)
    })
  }
  const clear = () =>
    run(async () => {
      removeStart(startKey(app.api))
      await index.clear()
      return (words) => words.cleared
    })

  directory.index.status().then((first) => {
    status ??= first
    if (latest === 0) sentence = failureOf(first)
    translate()
    // Then nothing works yet, and that may be the reason why the user opened the settings.
    if (first.failure && first.generated === null) outcome.scrollIntoView(false)
  }, reportAs('settings: index'))
  const refreshButton = createButton('plugmark-button', () => refresh(false))
  const replaceButton = createButton('plugmark-button', () => refresh(true))
  const clearButton = createButton('plugmark-button', clear)
  const buttons = element('div', { class: 'plugmark-links' }, refreshButton, clearButton)
  return { node: element('div', { class: 'plugmark-stack' }, facts, buttons, outcome), translate }
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
