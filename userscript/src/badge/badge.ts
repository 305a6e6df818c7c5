import type { Messages } from '../i18n/index.ts'
import type { BadgeData } from '../plugins/badge-data.ts'
import { element } from '../ui/element.ts'
import { displayText } from '../ui/text.ts'

/** Set on every badge; its value is the folded `owner/repo` it stands for. */
export const BADGE_ATTRIBUTE = 'data-plugmark-badge'

/** Cloning one is a fraction of the work of building each. */
let template: HTMLElement | undefined

/**
 * Creates the badge of a repository: what it is, and a button that copies its install command. It has no listeners of its
 * own: a page has hundreds of badges.
 *
 * @param fullName of the listing it stands for, or of the repository
 * @param isLabelled whether its word is shown. In prose it is not: it would stand in somebody else's sentence, be found
 * there, and break more of its lines.
 */
export function createBadge(data: BadgeData, fullName: string, isLabelled: boolean, messages: Messages): HTMLElement {
  template ??= element(
    'span',
    { class: 'plugmark-badge', role: 'group', dir: 'ltr' },
    element('button', { type: 'button', class: 'plugmark-label', 'aria-haspopup': 'dialog', 'aria-expanded': 'false' }),
    element('button', { type: 'button', class: 'plugmark-copy' }),
  )
  const badge = template.cloneNode(true) as HTMLElement
  badge.lang = messages.locale
  const text = labelText(data, messages)
  badge.setAttribute('aria-label', text)
  if (isLabelled) labelOf(badge).textContent = text
  if (data.action !== 'copy' && data.action !== 'choose') {
    const why = `${messages.noCommand}${messages.contract.reason(data.action)}`
    actionOf(badge).replaceWith(element('span', { class: 'plugmark-none', role: 'img', 'aria-label': why, title: why }))
  }
  nameButtons(badge, data, fullName, messages)
  return badge
}

/** The part that opens the card. */
export const labelOf = (badge: Element): HTMLElement => badge.firstElementChild as HTMLElement
/** The part that copies, or says why it cannot. */
export const actionOf = (badge: Element): HTMLElement => badge.lastElementChild as HTMLElement

/**
 * Names exactly what a badge stands for, once its listings are known. The card shows how the install check went: the
 * index does not know, and a badge that knew would differ from its neighbours only in having been opened before.
 *
 * @param fullName of the listing whose command is copied, else of the only one, else of their repository
 * @param command that its button copies; null when the person is to choose one, or there is none
 */
export function updateBadge(
  badge: HTMLElement,
  data: BadgeData,
  { fullName, command }: { readonly fullName: string; readonly command: string | null },
  messages: Messages,
): void {
  const shownName = displayText(fullName)
  nameButtons(badge, data, shownName, messages)
  if (data.action !== 'copy' && data.action !== 'choose') return
  const lines = [
    actionName(data, shownName, messages),
    ...(command === null ? [] : [command]),
    messages.contract.notAReview,
  ]
  actionOf(badge).title = displayText(lines.join('\n'))
}

/** Sets the names that screen readers read out. */
function nameButtons(badge: Element, data: BadgeData, fullName: string, messages: Messages): void {
  const name = data.count > 1 ? fullName : messages.pluginOf(fullName)
  labelOf(badge).setAttribute('aria-label', messages.badgeOf(labelText(data, messages), name))
  if (data.action === 'copy' || data.action === 'choose') {
    actionOf(badge).setAttribute('aria-label', actionName(data, fullName, messages))
  }
}

const labelText = ({ category, count }: BadgeData, messages: Messages): string =>
  count > 1 ? messages.pluginCount(count) : messages.contract.category(category)

const actionName = ({ action }: BadgeData, fullName: string, messages: Messages): string =>
  action === 'copy' ? messages.copyCommandOf(fullName) : messages.chooseCommand(fullName)
