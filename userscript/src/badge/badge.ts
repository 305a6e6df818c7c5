import type { IndexListing } from '@plugmark/shared/contract'
import { nameParts } from '@plugmark/shared/contract'
import type { Words } from '@plugmark/shared/locale'
import type { Phrases } from '../phrases/types.ts'
import { openChoice } from './choice.ts'
import { element } from './element.ts'
import { icon } from './icons.ts'
import { type OfferedCommand, offerFor } from './offer.ts'

export interface BadgeOptions {
  readonly cli: string
  readonly profile: string
  readonly words: Words
  readonly phrases: Phrases
  /** Copies a command and tells the person. True when it is in the clipboard. */
  readonly copy: (offered: OfferedCommand) => Promise<boolean>
}

/** How long the copy button shows that it has copied. ms */
const COPIED_MS = 2000

/**
 * The badge of one repository: what it is, and a button that copies its install command. It never shows an install
 * check, for the index has no verdicts.
 */
export function createBadge(listings: readonly IndexListing[], options: BadgeOptions): HTMLElement {
  return element('span', { class: 'plugmark-badge' }, createLabel(listings, options), createAction(listings, options))
}

function createLabel(listings: readonly IndexListing[], { words, phrases }: BadgeOptions): HTMLElement {
  const [only, another] = listings
  const text = another || !only ? phrases.pluginCount(listings.length) : words.category(only.category)
  return element(
    'span',
    { class: 'plugmark-label', title: phrases.isPlugin },
    icon('plug'),
    // A reader hears what the plug says to the eye.
    ...(another ? [] : [element('span', { class: 'plugmark-unseen' }, phrases.pluginPrefix)]),
    element('span', {}, text),
  )
}

function createAction(listings: readonly IndexListing[], options: BadgeOptions): HTMLElement {
  const { words, phrases } = options
  const offer = offerFor(listings, options)
  if (offer.kind === 'none') {
    const why = `${phrases.noCommand} ${words.reason(offer.reason)}`
    return element('span', { class: 'plugmark-none', role: 'img', title: why, 'aria-label': why }, icon('blocked'))
  }
  const button = element('button', { type: 'button', class: 'plugmark-copy' }, icon('copy'))
  const confirm = async (offered: OfferedCommand) => {
    if (await options.copy(offered)) showCopied(button)
  }
  if (offer.kind === 'command') {
    const { fullName, command } = offer.offered
    describe(button, phrases.copyCommandOf(fullName), [command, words.verdict(null).name, words.notAReview])
    onActivate(button, () => confirm(offer.offered))
  } else {
    describe(button, phrases.chooseCommand, [words.verdict(null).name, words.notAReview])
    button.setAttribute('aria-haspopup', 'dialog')
    onActivate(button, () =>
      openChoice(button, offer.among, {
        label: phrases.chooseCommand,
        note: words.notAReview,
        choose: confirm,
        nameOf,
      }),
    )
  }
  return button
}

/** How a listing is called beside others of its repository. */
const nameOf = ({ fullName }: OfferedCommand) => nameParts(fullName).subpath ?? fullName

function describe(button: HTMLElement, name: string, lines: readonly string[]): void {
  button.setAttribute('aria-label', name)
  button.title = [name, ...lines].join('\n')
}

/** Runs `action` and keeps the click from the row around the badge, which may be a link or a control of its own. */
function onActivate(button: HTMLElement, action: () => unknown): void {
  button.addEventListener('click', (event) => {
    event.preventDefault()
    event.stopPropagation()
    action()
  })
}

function showCopied(button: HTMLElement): void {
  button.replaceChildren(icon('check'))
  button.classList.add('plugmark-copied')
  setTimeout(() => {
    button.replaceChildren(icon('copy'))
    button.classList.remove('plugmark-copied')
  }, COPIED_MS)
}
