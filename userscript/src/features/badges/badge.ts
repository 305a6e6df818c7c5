import { CONTRACT, type Locale } from '../../i18n/index.ts'
import type { BadgeData } from '../../plugins/badge-data.ts'
import { element } from '../../ui/element.ts'
import { displayText } from '../../ui/text.ts'
import { BADGE_WORDS } from './words.ts'

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
export function createBadge(data: BadgeData, fullName: string, isLabelled: boolean, locale: Locale): HTMLElement {
  template ??= element(
    'span',
    { class: 'plugmark-badge', role: 'group', dir: 'ltr' },
    element('button', { type: 'button', class: 'plugmark-label', 'aria-haspopup': 'dialog', 'aria-expanded': 'false' }),
    element('button', { type: 'button', class: 'plugmark-copy' }),
  )
  const badge = template.cloneNode(true) as HTMLElement
  badge.lang = locale
  const text = labelText(data, locale)
  badge.setAttribute('aria-label', text)
  if (isLabelled) labelOf(badge).textContent = text
  if (data.action !== 'copy' && data.action !== 'choose') {
    const why = `${BADGE_WORDS[locale].noCommand}${CONTRACT[locale].reason(data.action)}`
    actionOf(badge).replaceWith(element('span', { class: 'plugmark-none', role: 'img', 'aria-label': why, title: why }))
  }
  nameButtons(badge, data, fullName, locale)
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
  locale: Locale,
): void {
  const shownName = displayText(fullName)
  nameButtons(badge, data, shownName, locale)
  if (data.action !== 'copy' && data.action !== 'choose') return
  const lines = [
    actionName(data, shownName, locale),
    ...(command === null ? [] : [command]),
    CONTRACT[locale].notAReview,
  ]
  actionOf(badge).title = displayText(lines.join('\n'))
}

/** Sets the names that screen readers read out. */
function nameButtons(badge: Element, data: BadgeData, fullName: string, locale: Locale): void {
  const words = BADGE_WORDS[locale]
  const name = data.count > 1 ? fullName : words.pluginOf(fullName)
  labelOf(badge).setAttribute('aria-label', words.badgeOf(labelText(data, locale), name))
  if (data.action === 'copy' || data.action === 'choose') {
    actionOf(badge).setAttribute('aria-label', actionName(data, fullName, locale))
  }
}

const labelText = ({ category, count }: BadgeData, locale: Locale): string =>
  count > 1 ? BADGE_WORDS[locale].pluginCount(count) : CONTRACT[locale].category(category)

const actionName = ({ action }: BadgeData, fullName: string, locale: Locale): string =>
  action === 'copy' ? BADGE_WORDS[locale].copyCommandOf(fullName) : BADGE_WORDS[locale].chooseCommand(fullName)
