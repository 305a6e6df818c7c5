import { isDoubtful } from '@plugmark/shared/contract'
import type { Messages } from '../i18n/index.ts'
import { element } from '../ui/element.ts'
import { icon } from '../ui/icons.ts'
import type { Details } from './details.ts'

/** What is known of a listing in short: stars, licence, install check, and a line for each risk flag. */
export function createFacts(details: Details | null, messages: Messages): HTMLElement {
  const { contract, card, locale } = messages
  const facts = element('div', { class: 'plugmark-facts' })
  const said: HTMLElement[] = []
  if (details === null) {
    facts.append(element('span', {}, card.noDetails))
  } else {
    const count = new Intl.NumberFormat(locale).format(details.stars)
    const stars = { role: 'img', 'aria-label': card.stars(count) }
    facts.append(element('span', { class: 'plugmark-line', ...stars }, icon('star'), count))
    if (details.license) facts.append(element('span', {}, card.license(details.license)))
  }
  facts.append(createCheck(details, messages))
  if (details?.verdict && details.verdict !== 'passed') {
    said.push(element('div', { class: 'plugmark-muted' }, contract.verdict(details.verdict).sentence))
  }
  for (const flag of details?.riskFlags ?? []) {
    const { name, sentence } = contract.riskFlag(flag)
    const text = element('span', {}, element('bdi', { class: 'plugmark-strong' }, name), ' ', sentence)
    said.push(element('div', { class: 'plugmark-line plugmark-flag' }, icon('warning'), text))
  }
  return element('div', { class: 'plugmark-stack' }, facts, ...said)
}

function createCheck(details: Details | null, { contract, card, dateLocale }: Messages): HTMLElement {
  const verdict = details?.verdict ?? null
  const { name } = contract.verdict(verdict)
  const date = details?.checkedAt ? formatDay(details.checkedAt, dateLocale) : ''
  const text = date === '' ? name : card.checked(name, date)
  const look = verdict === 'passed' ? 'check' : verdict === null ? 'clock' : 'warning'
  const kind = verdict === 'passed' ? ' plugmark-good' : isDoubtful(verdict) ? ' plugmark-bad' : ''
  return element('span', { class: `plugmark-line${kind}` }, icon(look), text)
}

/** Day and month; the year too when it is another one. Empty where the text is no date. */
export function formatDay(iso: string, locale: string, now = new Date()): string {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return ''
  const year = date.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' as const }
  return new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', ...year }).format(date)
}
