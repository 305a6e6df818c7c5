import type { CatalogueStatus } from '@plugmark/shared/catalogue'
import type { Language } from '@plugmark/shared/locale'
import { createButton } from '../ui/button.ts'
import { element } from '../ui/element.ts'
import type { DialogOptions } from './options.ts'

/** A copy last known to be the newest before that was not renewed now. ms */
const JUST_NOW_MS = 60_000

/** What there is of the directory here, and the buttons that renew it and clear it. */
export function createCopyPart({ voice, status, refresh, clear }: DialogOptions): HTMLElement {
  const { language, phrases } = voice()
  const said = phrases.settings
  const facts = element('div', {})
  const outcome = element('div', { class: 'plugmark-muted', role: 'status' })

  const show = (now: CatalogueStatus) => {
    facts.replaceChildren(describe(now, language, said.copy, said.noCopy))
    if (!now.isSaved && now.generated) facts.append(' ', said.notKept)
  }
  const failureOf = ({ failure }: CatalogueStatus) => (failure ? said.failed(failure.message) : '')
  const outcomeOf = ({ ageMs }: CatalogueStatus) => (ageMs !== null && ageMs < JUST_NOW_MS ? said.refreshed : said.busy)
  const run = async (task: () => Promise<string>) => {
    try {
      outcome.textContent = await task()
    } catch (error) {
      outcome.textContent = said.failed(String(error))
    }
    show(await status())
  }
  const renew = () => {
    outcome.textContent = said.refreshing
    run(async () => {
      const now = await refresh()
      return failureOf(now) || outcomeOf(now)
    })
  }
  status().then((now) => {
    show(now)
    outcome.textContent ||= failureOf(now)
    // Then nothing can be had at all, and a badge that was pressed may have brought the person here.
    if (now.failure && now.generated === null) outcome.scrollIntoView(false)
  })
  const buttons = element(
    'div',
    { class: 'plugmark-links' },
    createButton('plugmark-button', renew, said.refresh),
    createButton('plugmark-button', () => run(() => clear().then(() => said.cleared)), said.clear),
  )
  return element('div', { class: 'plugmark-stack' }, facts, buttons, outcome)
}

function describe(
  { generated, count, ageMs }: CatalogueStatus,
  language: Language,
  copy: (count: string, generated: string, age: string) => string,
  noCopy: string,
): string {
  if (generated === null || ageMs === null) return noCopy
  const time = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    dateStyle: 'medium',
    timeStyle: 'short',
  })
  return copy(
    new Intl.NumberFormat(language).format(count),
    time.format(new Date(generated)),
    formatAge(ageMs, language),
  )
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** How long ago, in the largest unit that fits: “3 hours ago”, “this minute”. */
export function formatAge(ms: number, language: string): string {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const [unit, length] = UNITS.find(([, length]) => ms >= length) ?? UNITS[2]
  // Without the sign, none at all would be “in 0 minutes”.
  return format.format(-Math.floor(ms / length) || 0, unit)
}
