import { firstTwo } from '../github/target.ts'
import type { Voice } from '../i18n/index.ts'
import type { Face } from '../plugins/badge-data.ts'
import { element } from '../ui/element.ts'
import { hasRoom } from './label-fit.ts'

/** Every badge is a copy of one, which costs a fraction of building each. */
let template: HTMLElement | undefined

/**
 * The badge of one repository: what it is, and a button that copies its install command. Nothing listens on it: a page
 * has hundreds, and few are ever turned to.
 *
 * In a list it shows its word. In running text it does not: it would stand in somebody else's sentence, be found there,
 * and break more of its lines.
 */
export function createBadge(face: Face, link: HTMLAnchorElement, voice: Voice): HTMLElement {
  const { words, phrases } = voice
  template ??= element(
    'span',
    { class: 'plugmark-badge', role: 'group', dir: 'ltr' },
    element('button', { type: 'button', class: 'plugmark-label', 'aria-haspopup': 'dialog', 'aria-expanded': 'false' }),
    element('button', { type: 'button', class: 'plugmark-copy' }),
  )
  const badge = template.cloneNode(true) as HTMLElement
  badge.lang = voice.language
  const text = textOf(face, voice)
  badge.setAttribute('aria-label', text)
  if (!link.closest('.markdown-body') && hasRoom(link, text)) labelOf(badge).textContent = text
  if (face.action !== 'copy' && face.action !== 'choose') {
    const why = `${phrases.noCommand}${words.reason(face.action)}`
    actionOf(badge).replaceWith(element('span', { class: 'plugmark-none', role: 'img', 'aria-label': why, title: why }))
  }
  // As the link spells it, until the rows say how it is spelled.
  const fullName = firstTwo(link.pathname).slice(1)
  describe(badge, face, fullName, voice)
  return badge
}

/** The part that opens the card. */
export const labelOf = (badge: Element): HTMLElement => badge.firstElementChild as HTMLElement
/** The part that copies, or says why not. */
export const actionOf = (badge: Element): HTMLElement => badge.lastElementChild as HTMLElement

/** How it is read out. */
export function describe(badge: Element, face: Face, fullName: string, voice: Voice): void {
  const { phrases } = voice
  const text = textOf(face, voice)
  const name = phrases.badgeOf(text, face.count > 1 ? fullName : phrases.pluginOf(fullName))
  labelOf(badge).setAttribute('aria-label', name)
  if (face.action === 'copy' || face.action === 'choose')
    actionOf(badge).setAttribute('aria-label', callOf(face, fullName, voice))
}

function textOf({ category, count }: Face, { words, phrases }: Voice): string {
  return count > 1 ? phrases.pluginCount(count) : words.category(category)
}

/** What pressing its button is called. */
export function callOf({ action }: Face, fullName: string, { phrases }: Voice): string {
  return action === 'copy' ? phrases.copyCommandOf(fullName) : phrases.chooseCommand(fullName)
}
