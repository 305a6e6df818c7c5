import { CONTRACT, type Locale } from '../../i18n/index.ts'
import type { BadgeData } from '../../plugins/badge-data.ts'
import { element } from '../../ui/element.ts'
import { displayText } from '../../ui/text.ts'
import { BADGE_WORDS } from './badge-words.ts'
import type { Badge } from './link-states.ts'

/** Cloning an element takes a fraction of the time of creating it. */
let template: HTMLElement | undefined

/**
 * Creates the badge of a repository as one element, which looks like a label and a copy button: a page has hundreds of
 * badges, of which a person uses a few. `expandBadge` adds the two buttons.
 *
 * @param isLabelled false in prose, where the word would become part of another author's sentence, be found by a
 *   search, and break more lines
 */
export function createBadge(data: BadgeData, isLabelled: boolean, locale: Locale): HTMLElement {
  template ??= element('span', { class: 'plugmark-badge', role: 'button', tabindex: '0', dir: 'ltr' })
  const badge = template.cloneNode(false) as HTMLElement
  const text = labelText(data, locale)
  badge.lang = locale
  badge.setAttribute('aria-label', text)
  if (isLabelled) badge.textContent = text
  else badge.className += ' plugmark-wordless'
  if (!hasCommand(data)) badge.className += ' plugmark-none'
  return badge
}

/**
 * Adds the two buttons of a badge that a person points at or focuses: one opens the card, the other copies the command.
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
  // Uses the spelling of the link until the listing is read.
  nameButtons(node, data, data.fullName ?? link.pathname.split('/', 3).slice(1).join('/'), locale)
  if (isFocused) label.focus({ preventScroll: true, focusVisible: isFocusVisible } as FocusOptions)
  node.removeAttribute('tabindex')
}

const createAction = (data: BadgeData, locale: Locale): HTMLElement => {
  const { action } = data
  if (action === 'copy' || action === 'choose') {
    return element('button', { type: 'button', class: 'plugmark-copy', tabindex: '-1' })
  }
  const reason = `${BADGE_WORDS[locale].noCommand}${CONTRACT[locale].reason(action)}`
  return element('span', { class: 'plugmark-no-copy', role: 'img', 'aria-label': reason, title: reason })
}

/** Returns true if a badge has its two buttons. */
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
 * @param command command that its button copies; null when the person must choose one, or there is none
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

/** Sets the accessible names. */
function nameButtons(badge: Element, data: BadgeData, fullName: string, locale: Locale): void {
  const words = BADGE_WORDS[locale]
  const name = data.count > 1 ? fullName : words.pluginOf(fullName)
  labelOf(badge).setAttribute('aria-label', words.badgeOf(labelText(data, locale), name))
  if (hasCommand(data)) actionOf(badge).setAttribute('aria-label', actionName(data, fullName, locale))
}

const hasCommand = ({ action }: BadgeData): boolean => action === 'copy' || action === 'choose'

const labelText = ({ category, count }: BadgeData, locale: Locale): string =>
  count > 1 ? BADGE_WORDS[locale].pluginCount(count) : CONTRACT[locale].category(category)

const actionName = ({ action }: BadgeData, fullName: string, locale: Locale): string =>
  action === 'copy' ? BADGE_WORDS[locale].copyCommandOf(fullName) : BADGE_WORDS[locale].chooseCommand(fullName)
