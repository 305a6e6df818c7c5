import { isDoubtful } from '@plugmark/shared/contract'
import type { Voice } from '../i18n/index.ts'
import { element } from '../ui/element.ts'
import { icon } from '../ui/icons.ts'
import type { Details } from './details.ts'

/** What is known of a listing in short: stars, licence, install check, and a line for each risk flag. */
export function createFacts(details: Details | null, voice: Voice): HTMLElement {
  const { words, phrases, language } = voice
  const facts = element('div', { class: 'plugmark-facts' })
  const said: HTMLElement[] = []
  if (details === null) {
    facts.append(element('span', {}, phrases.card.noDetails))
  } else {
    const count = new Intl.NumberFormat(language).format(details.stars)
    const stars = { role: 'img', 'aria-label': phrases.card.stars(count) }
    facts.append(element('span', { class: 'plugmark-line', ...stars }, icon('star'), count))
    if (details.license) facts.append(element('span', {}, phrases.card.license(details.license)))
  }
  facts.append(createCheck(details, voice))
  if (details?.verdict && details.verdict !== 'passed') {
    said.push(element('div', { class: 'plugmark-muted' }, words.verdict(details.verdict).sentence))
  }
  for (const flag of details?.riskFlags ?? []) {
    const { name, sentence } = words.riskFlag(flag)
    const text = element('span', {}, element('bdi', { class: 'plugmark-strong' }, name), ' ', sentence)
    said.push(element('div', { class: 'plugmark-line plugmark-flag' }, icon('warning'), text))
  }
  return element('div', { class: 'plugmark-stack' }, facts, ...said)
}

function createCheck(details: Details | null, { words, language }: Voice): HTMLElement {
  const verdict = details?.verdict ?? null
  const { name } = words.verdict(verdict)
  const date = details?.checkedAt ? formatDay(details.checkedAt, language) : ''
  const text = date === '' ? name : language === 'zh' ? `${name}（${date}）` : `${name}, ${date}`
  const look = verdict === 'passed' ? 'check' : verdict === null ? 'clock' : 'warning'
  const kind = verdict === 'passed' ? ' plugmark-good' : isDoubtful(verdict) ? ' plugmark-bad' : ''
  return element('span', { class: `plugmark-line${kind}` }, icon(look), text)
}

/** Day and month; the year too when it is another one. Empty where the text is no date. */
export function formatDay(iso: string, language: string, now = new Date()): string {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return ''
  const year = date.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' as const }
  const locale = language === 'en' ? 'en-GB' : language
  return new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', ...year }).format(date)
}
