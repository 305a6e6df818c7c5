import { type IndexListing, isDoubtful, nameParts } from '@plugmark/shared/contract'
import { createCopyButton } from '../ui/copy-button.ts'
import { element } from '../ui/element.ts'
import { icon } from '../ui/icons.ts'
import { createUnreachable } from '../ui/unreachable.ts'
import { createFacts } from './facts.ts'
import type { CardOptions } from './options.ts'
import { type Command, commandOf, type Details } from './view.ts'

/** A listing as a card shows it. It is whole without details, and can be given them. */
export interface ListingPart {
  readonly node: HTMLElement
  /** @param details null when there are none to be had */
  fill(details: Details | null): void
  /**
   * The directory could not be asked for them.
   *
   * @param retry asks again, and fills it or fails again
   */
  fail(retry: () => Promise<void>): void
}

export function createListing(listing: IndexListing, options: CardOptions): ListingPart {
  const { words, phrases } = options
  const { owner, repo, subpath } = nameParts(listing.fullName)
  const own = commandOf(listing, options)
  const summary = element('div', { class: 'plugmark-summary-text', dir: 'auto' })
  const facts = element('div', {}, element('div', { class: 'plugmark-muted' }, phrases.card.loading))
  const block = createCommand(listing.fullName, own, options)
  const offer = (isDoubted: boolean) => (isDoubted && own.ok ? fold(phrases.card.showAnyway, block) : block)
  /** As far as a record at hand says. */
  const isDoubted = isDoubtful(options.verdictOf(listing))
  const install = element('div', { class: 'plugmark-stack' }, offer(isDoubted))
  const more = element('div', {})
  const head = element(
    'div',
    { class: 'plugmark-card-head' },
    element('bdi', { class: 'plugmark-card-name' }, subpath ?? repo),
    element('bdi', { class: 'plugmark-muted' }, subpath === null ? owner : `${owner}/${repo}`),
    element('span', { class: 'plugmark-card-category' }, words.category(listing.category)),
  )

  const node = element('div', { class: 'plugmark-listing', tabindex: '-1' }, head, summary, facts, install, more)
  return {
    node,
    fill(details) {
      // Who tried again stands on a button that goes now.
      if (facts.contains(document.activeElement)) node.focus({ preventScroll: true })
      summary.textContent = ''
      if (details?.summary) summary.append(element('span', {}, details.summary))
      facts.replaceChildren(createFacts(details, options))
      if (details === null) return
      if (isDoubtful(details.verdict) !== isDoubted) {
        const hadFocus = install.contains(document.activeElement)
        install.replaceChildren(offer(!isDoubted))
        if (hadFocus) install.querySelector<HTMLElement>('summary, button')?.focus()
      }
      if (details.note) install.append(createNote(details.note, options))
      more.replaceChildren(...createOptions(listing, details, options))
    },
    fail(retry) {
      // Another try that fails leaves the line, and with it the focus, where it is.
      if (facts.querySelector('.plugmark-unreachable')) return
      facts.replaceChildren(createUnreachable(phrases, { retry, openSettings: options.openSettings }))
    },
  }
}

/** A command with its copy button, or the reason why there is none. */
export function createCommand(fullName: string, command: Command, options: CardOptions): HTMLElement {
  const { phrases, copy } = options
  if (!command.ok) {
    const why = `${phrases.noCommand}${options.words.reason(command.reason)}`
    return element('div', { class: 'plugmark-line plugmark-muted' }, icon('blocked'), element('span', {}, why))
  }
  const words = command.command.split(' ').map((word) => element('span', {}, word))
  const label = `${phrases.card.copy}: ${command.command}`
  return element(
    'div',
    { class: 'plugmark-command' },
    element(
      'code',
      { tabindex: '0', translate: 'no' },
      ...words.flatMap((word, at) => (at > 0 ? [' ', word] : [word])),
    ),
    createCopyButton(label, () => copy({ fullName, command: command.command }), phrases.card.copy),
  )
}

/** The other ways to install a listing. The check of its own command says nothing of them. */
function createOptions(listing: IndexListing, { options: ways }: Details, options: CardOptions): HTMLElement[] {
  if (ways.length === 0) return []
  const { phrases } = options
  const rows = ways.map(({ label, note, command }) =>
    element(
      'div',
      { class: 'plugmark-other' },
      element('bdi', { class: 'plugmark-strong' }, label),
      createCommand(listing.fullName, command, options),
      ...(note ? [createNote(note, options)] : []),
      ...(command.ok ? [element('div', { class: 'plugmark-muted' }, phrases.card.notTried)] : []),
    ),
  )
  return [fold(phrases.card.otherWays(ways.length), ...rows)]
}

function createNote(note: string, { words }: CardOptions): HTMLElement {
  const { text, isQuoted } = words.note(note)
  return element('div', { class: 'plugmark-muted', dir: 'auto' }, isQuoted ? element('q', {}, text) : text)
}

/** What is there for whoever opens it. */
export const fold = (title: string, ...content: Node[]): HTMLDetailsElement =>
  element('details', { class: 'plugmark-fold' }, element('summary', {}, title), ...content)
