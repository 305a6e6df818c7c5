import { NOT_INSTALLABLE_REASONS } from '@plugmark/shared/install'
import { CONTRACT, type Locale } from '../../i18n/index.ts'
import { startWords } from '../../i18n/start-words.ts'
import { type Badge, badgeName, hasCommand, labelText, spelledName } from '../../start/badge.ts'
import type { BadgeData } from '../../start/stored-badges.ts'
import { displayText, element } from '../../ui/element.ts'
import { BADGE_WORDS } from './badge-words.ts'

/**
 * Adds the two buttons of a badge that the user points at or focuses: one opens the card, the other copies the command.
 * Only the first is in the Tab order; the arrow keys lead to the other.
 */
export function expandBadge({ node, link, data }: Badge, locale: Locale): void {
  const word = node.textContent
  const isFocused = document.activeElement === node
  const isFocusVisible = node.matches(':focus-visible')
  const label = element(
    'button',
    { type: 'button', class: 'plugmark-label', 'aria-haspopup': 'dialog', 'aria-expanded': 'false' },
    ...(word ? [word] : []),
  )
  node.replaceChildren(label, createAction(data, locale))
  node.setAttribute('role', 'group')
  // The buttons have the full names; a heading around the badge is named by its word.
  node.setAttribute('aria-label', labelText(data, startWords(locale)))
  nameButtons(node, data, spelledName(link, data), locale)
  if (isFocused) label.focus({ preventScroll: true, focusVisible: isFocusVisible } as FocusOptions)
  node.removeAttribute('tabindex')
}

const createAction = (data: BadgeData, locale: Locale): HTMLElement => {
  const { action } = data
  if (action === 'copy' || action === 'choose') {
    return element('button', { type: 'button', class: 'plugmark-copy', tabindex: '-1' })
  }
  // Stored text may be damaged.
  const known = NOT_INSTALLABLE_REASONS.find((reason) => reason === action) ?? 'no-command'
  const reason = `${BADGE_WORDS[locale].noCommand}${CONTRACT[locale].reason(known)}`
  return element('span', { class: 'plugmark-no-copy', role: 'img', 'aria-label': reason, title: reason })
}

export const isExpanded = (badge: Element): boolean => badge.firstElementChild !== null
/** Returns the part of an expanded badge that opens the card. */
export const labelOf = (badge: Element): HTMLElement => badge.firstElementChild as HTMLElement
/** Returns the part of an expanded badge that copies, or explains why it cannot. */
export const actionOf = (badge: Element): HTMLElement => badge.lastElementChild as HTMLElement

/** Shows or hides on a badge that its command was copied. */
export const showBadgeCopied = (badge: Element, isCopied: boolean): void => {
  badge.classList.toggle('plugmark-copied', isCopied)
}

/**
 * Gives an expanded badge exact names, once its listings are known. The result of the install check is on the card
 * only: the index does not contain it, and a badge with it would differ from its neighbours merely because it was
 * opened before.
 *
 * @param fullName the listing whose command is copied, else the only listing, else the repository
 * @param command command that its button copies; null when the user must choose one, or there is none
 */
export function updateBadge(
  badge: HTMLElement,
  data: BadgeData,
  { fullName, command }: { readonly fullName: string; readonly command: string | null },
  locale: Locale,
): void {
  const name = displayText(fullName)
  nameButtons(badge, data, name, locale)
  if (!hasCommand(data)) return
  const lines = [actionName(data, name, locale), ...(command === null ? [] : [command]), CONTRACT[locale].notAReview]
  actionOf(badge).title = displayText(lines.join('\n'))
}

/** Sets the accessible names of an expanded badge. */
function nameButtons(badge: Element, data: BadgeData, fullName: string, locale: Locale): void {
  labelOf(badge).setAttribute('aria-label', badgeName(data, fullName, startWords(locale)))
  if (hasCommand(data)) actionOf(badge).setAttribute('aria-label', actionName(data, fullName, locale))
}

const actionName = ({ action }: BadgeData, fullName: string, locale: Locale): string =>
  action === 'copy' ? BADGE_WORDS[locale].copyCommandOf(fullName) : BADGE_WORDS[locale].chooseCommand(fullName)
