import { type IndexListing, listingTitle, type Verdict } from '@plugmark/shared/contract'
import { translateNote } from '@plugmark/shared/i18n/notes'
import type { App } from '../../app.ts'
import { type Command, commandOf, trialOf } from '../../catalogue/offers.ts'
import { CONTRACT, DATE_LOCALES, type Locale } from '../../i18n/index.ts'
import { createCopyButton } from '../../ui/buttons.ts'
import { copyCommand } from '../../ui/copy.ts'
import { createFold, createMuted, element } from '../../ui/element.ts'
import { icon } from '../../ui/icons.ts'
import { BADGE_WORDS } from '../badges/badge-words.ts'
import { createUnreachable } from '../settings/unreachable.ts'
import type { Details } from './card-details.ts'
import { CARD_WORDS } from './card-words.ts'

/** A listing in a card. It is complete without details, which can be added later. */
interface ListingPart {
  readonly node: HTMLElement
  /** @param details null when there are none */
  fill(details: Details | null): void
  /**
   * Shows that the directory could not be reached.
   *
   * @param retry asks again, and then calls `fill` or `fail`
   */
  fail(retry: () => Promise<void>): void
}

/** @param isThisPage true to leave out what the repository's own page shows */
export function createListing(listing: IndexListing, app: App, isThisPage: boolean): ListingPart {
  const locale = app.locale()
  const words = CARD_WORDS[locale]
  const own = commandOf(listing, app.settings.current)
  const summary = element('div', { class: 'plugmark-summary-text', dir: 'auto' })
  const facts = element('div', {}, createMuted(words.loading))
  const offer = (isDoubtful: boolean) => {
    const block = createCommand(own, app)
    return isDoubtful && own.ok ? createFold(words.showAnyway, block) : block
  }
  const { records } = app.directory
  /** As far as known before the details arrive. */
  const isDoubted = records.isDoubtful(listing)
  const install = element('div', { class: 'plugmark-stack' }, offer(isDoubted))
  const more = element('div', {})
  const head = element('div', {})
  if (!isThisPage) {
    const name = element('bdi', { class: 'plugmark-card-name' }, nameOf(listing))
    head.append(name, createPlace(listing, locale))
  }

  const node = element('div', { class: 'plugmark-listing', tabindex: '-1' }, head, summary, facts, install, more)
  return {
    node,
    fill(details) {
      // The Retry button, which was pressed, disappears now.
      if (facts.contains(document.activeElement)) node.focus({ preventScroll: true })
      summary.textContent = ''
      if (details?.summary) summary.append(element('span', {}, details.summary))
      facts.replaceChildren(createFacts(details, locale, isThisPage))
      if (records.isDoubtful(listing) !== isDoubted) {
        const hadFocus = install.contains(document.activeElement)
        install.replaceChildren(offer(!isDoubted))
        if (hadFocus) install.querySelector<HTMLElement>('summary, button')?.focus()
      }
      if (details === null) return
      if (details.note) install.append(createNote(details.note, app))
      more.replaceChildren(...createTrial(listing, app), ...createOptions(details, app))
    },
    fail(retry) {
      // After another failure the line stays where it is, and with it the focus.
      if (facts.querySelector('.plugmark-unreachable')) return
      facts.replaceChildren(createUnreachable(app, retry))
    },
  }
}

/** Returns the name that the store, too, has for a listing. */
export const nameOf = ({ fullName, npm }: IndexListing): string => listingTitle({ fullName, npmPackage: npm })

/** Creates the line under a name: the place, and the category, which would look lost alone on a line. */
function createPlace({ fullName, category }: IndexListing, locale: Locale): HTMLElement {
  const place = element('bdi', {}, fullName.replace('#', '/'))
  return createMuted(place, ' · ', CONTRACT[locale].category(category))
}

/** Creates a command with its copy button, or the reason why there is none. */
function createCommand(result: Command, app: App): HTMLElement {
  const locale = app.locale()
  const { copy } = CARD_WORDS[locale]
  if (!result.ok) {
    const why = `${BADGE_WORDS[locale].noCommand}${CONTRACT[locale].reason(result.reason)}`
    return element('div', { class: 'plugmark-line plugmark-muted' }, icon('blocked'), element('span', {}, why))
  }
  const { command } = result
  const parts = command.split(' ').map((part) => element('span', {}, part))
  return element(
    'div',
    { class: 'plugmark-command' },
    element(
      'code',
      { tabindex: '0', translate: 'no' },
      ...parts.flatMap((part, at) => (at > 0 ? [' ', part] : [part])),
    ),
    createCopyButton(`${copy}: ${command}`, () => copyCommand(app, command), copy),
  )
}

/** Creates what installs a listing by Plugmark instead of by the harness; empty where the directory doubts that it installs. */
function createTrial(listing: IndexListing, app: App): HTMLElement[] {
  const words = CARD_WORDS[app.locale()]
  const trial = trialOf(listing, app.settings.current)
  if (!trial.ok || app.directory.records.isDoubtful(listing)) return []
  const row = element('div', { class: 'plugmark-other' }, createMuted(words.trial), createCommand(trial, app))
  return [createFold(words.tryFirst, row)]
}

/** Creates the other sources of a listing. The check of its own command says nothing about them. */
function createOptions({ options }: Details, app: App): HTMLElement[] {
  if (options.length === 0) return []
  const words = CARD_WORDS[app.locale()]
  const rows = options.map(({ label, note, command }) =>
    element(
      'div',
      { class: 'plugmark-other' },
      element('bdi', { class: 'plugmark-strong' }, label),
      createCommand(command, app),
      ...(note ? [createNote(note, app)] : []),
      ...(command.ok ? [createMuted(words.notTried)] : []),
    ),
  )
  return [createFold(words.otherSources, ...rows)]
}

function createNote(note: string, app: App): HTMLElement {
  const { text, isQuoted } = translateNote(app.locale(), note, app.settings.current.profile)
  return element('div', { class: 'plugmark-muted', dir: 'auto' }, isQuoted ? element('q', {}, text) : text)
}

/** Creates the facts of a listing: stars, licence and date where the page lacks them, install check, risk flags. */
function createFacts(details: Details | null, locale: Locale, isThisPage: boolean): HTMLElement {
  const contract = CONTRACT[locale]
  const words = CARD_WORDS[locale]
  const createWarning = (...text: (Node | string)[]) =>
    element('div', { class: 'plugmark-line plugmark-flag' }, icon('warning'), element('span', {}, ...text))
  if (details === null) return createWarning(words.gone)
  const { stars, license, pushedAt, verdict, checkedAt, riskFlags, isWithdrawn } = details
  const count = new Intl.NumberFormat(locale).format(stars)
  const facts = element('div', { class: 'plugmark-facts' }, createCheck(verdict, checkedAt, locale))
  if (!isThisPage) {
    const starred = { class: 'plugmark-line', role: 'img', 'aria-label': words.stars(count) }
    facts.prepend(
      element('span', starred, icon('star'), count),
      ...(license ? [element('span', {}, words.license(license))] : []),
      ...(pushedAt ? [element('span', {}, words.pushed(formatDay(pushedAt, DATE_LOCALES[locale])))] : []),
    )
  }
  const notices = riskFlags.map((flag) => {
    const { name, sentence } = contract.riskFlag(flag)
    return createWarning(element('bdi', { class: 'plugmark-strong' }, name), ' ', sentence)
  })
  if (isWithdrawn) notices.unshift(createWarning(words.withdrawn))
  if (verdict && verdict !== 'passed') notices.unshift(createMuted(contract.verdict(verdict).sentence))
  return element('div', { class: 'plugmark-stack' }, facts, ...notices)
}

function createCheck(verdict: Verdict | null, checkedAt: string | null, locale: Locale): HTMLElement {
  const { text, tone } = CONTRACT[locale].verdictLabel(verdict, checkedAt)
  const isOld = verdict === 'passed' && tone === 'caution'
  const look = verdict === null || isOld ? 'clock' : verdict === 'passed' ? 'check' : 'warning'
  const day = checkedAt === null ? '' : formatDay(checkedAt, DATE_LOCALES[locale])
  return element('span', { class: `plugmark-line plugmark-${tone}`, ...(day && { title: day }) }, icon(look), text)
}

/** Returns day and month, and the year when it is not the current one. Empty when the text is not a date. */
export function formatDay(iso: string, locale: string, now = new Date()): string {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return ''
  const year = date.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' as const }
  return new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', ...year }).format(date)
}
