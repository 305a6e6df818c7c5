import type { IndexListing } from '@plugmark/shared/contract'
import type { Words } from '@plugmark/shared/locale'
import type { Phrases } from '../phrases/types.ts'
import { createCopyButton } from '../ui/copy-button.ts'
import { element } from '../ui/element.ts'
import { icon } from '../ui/icons.ts'
import { type OfferedCommand, type OfferOptions, offerFor } from './offer.ts'

export interface BadgeOptions extends OfferOptions {
  readonly words: Words
  readonly phrases: Phrases
  /** Copies a command and tells the person. True when it is in the clipboard. */
  readonly copy: (offered: OfferedCommand) => Promise<boolean>
  /** Opens the repository's card, where a command is chosen. */
  readonly openCard: (opener: HTMLElement) => unknown
  /** Whether the command is known to have failed: it is copied from the card only. */
  readonly isDoubtful: () => boolean
}

export interface Badge {
  readonly node: HTMLElement
  /** Opens the card. */
  readonly label: HTMLButtonElement
  /** The listing whose command is copied, else the first: what the badge says is said of it. */
  readonly fullName: string
  /** Shows, or no longer, that the install check of that command passed. */
  showPassed(passed: boolean): void
}

/**
 * The badge of one repository: what it is, and a button that copies its install command. Without a record at hand it
 * says nothing of an install check, for the index has no verdicts.
 */
export function createBadge(listings: readonly IndexListing[], options: BadgeOptions): Badge {
  const { words, phrases } = options
  const [first, another] = listings
  const offer = offerFor(listings, options)
  const fullName = offer.kind === 'command' ? offer.offered.fullName : first!.fullName
  const text = another ? phrases.pluginCount(listings.length) : words.category(first!.category)
  const label = element(
    'button',
    { type: 'button', class: 'plugmark-label', 'aria-haspopup': 'dialog', 'aria-expanded': 'false' },
    icon('plug'),
    element('span', {}, text),
  )
  const check = icon('check')
  const action = createAction(label)
  const showPassed = (passed: boolean) => {
    label.setAttribute('aria-label', phrases.badgeOf(text, fullName, passed))
    if (offer.kind !== 'none') action.title = titleOf(passed)
    check.remove()
    if (passed) label.append(check)
  }
  showPassed(false)
  const node = element('span', { class: 'plugmark-badge' }, label, action)
  return { node, label, fullName, showPassed }

  function titleOf(passed: boolean): string {
    const about =
      offer.kind === 'command'
        ? [phrases.copyCommandOf(fullName), offer.offered.command]
        : [phrases.chooseCommand(fullName)]
    return [...about, words.verdict(passed ? 'passed' : null).name, words.notAReview].join('\n')
  }

  function createAction(opener: HTMLElement): HTMLElement {
    if (offer.kind === 'none') {
      const why = `${phrases.noCommand} ${words.reason(offer.reason)}`
      return element('span', { class: 'plugmark-none', role: 'img', title: why, 'aria-label': why }, icon('blocked'))
    }
    const openInstead = async () => {
      options.openCard(opener)
      return false
    }
    if (offer.kind === 'choice')
      return createCopyButton({ class: 'plugmark-copy', 'aria-label': phrases.chooseCommand(fullName) }, openInstead)
    const { offered } = offer
    return createCopyButton({ class: 'plugmark-copy', 'aria-label': phrases.copyCommandOf(fullName) }, () =>
      options.isDoubtful() ? openInstead() : options.copy(offered),
    )
  }
}
