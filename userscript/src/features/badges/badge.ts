import { report } from '../../base/report.ts'
import type { BadgeData, LinkBadge } from '../../catalogue/badges.ts'
import { type LinkTarget, repositoryName } from '../../github/links.ts'
import type { PageKind } from '../../github/page-kinds.ts'
import { CONTRACT, type Locale } from '../../i18n/index.ts'
import { element } from '../../ui/element.ts'
import { displayText } from '../../ui/text.ts'
import { BADGE_WORDS } from './badge-words.ts'

/** Attribute of every badge. Its value is the folded `owner/repo` of the badge. */
export const BADGE_ATTRIBUTE = 'data-plugmark-badge'

/** Attribute and property of the site's own links, by which the styles make room for a badge. */
export const TITLE_ATTRIBUTE = 'data-plugmark-title'
export const ROOM_PROPERTY = '--plugmark-room'

/** A badge that is removed more often than this in a row, each time within `QUIET_MS`, is not inserted again. */
const MAX_INSERTIONS = 8
const QUIET_MS = 5000

export interface LinkState {
  readonly target: LinkTarget
  /** Its badge: null for none, undefined during the look-up. */
  data: LinkBadge | null | undefined
  badge: HTMLElement | null
  /** Language and program for which the badge was rendered. */
  look: string
  /** Inserts the badge of a link that is far from the window; null when there is nothing to insert. */
  draw: (() => void) | null
  /** Insertions of the badge in a row. */
  insertions: number
  /** Time of the last insertion, in ms of `performance.now()`. */
  insertedAt: number
}

export interface Badge {
  readonly node: HTMLElement
  readonly link: HTMLAnchorElement
  readonly target: LinkTarget
  readonly data: LinkBadge
}

/**
 * The states of links. A badge is the next sibling of its link, so that it moves with the row. A badge is identified by
 * its node, so that a copy of it (a cloned row, a page restored from a snapshot) is not mistaken for the real one.
 */
const states = new WeakMap<Element, LinkState>()
const links = new WeakMap<Node, HTMLAnchorElement>()

export const stateOf = (link: Element): LinkState | undefined => states.get(link)

/** Returns the link that a badge belongs to; undefined for any other node. */
export const linkOf = (node: Node): HTMLAnchorElement | undefined => links.get(node)

export const isInPlace = (node: Node): boolean => links.get(node)?.nextElementSibling === node

/** Returns the badge that contains a node; null outside of badges, and in a copy of one. */
export function badgeAt(node: EventTarget | null): Badge | null {
  const badge = node instanceof Element ? node.closest<HTMLElement>(`[${BADGE_ATTRIBUTE}]`) : null
  const link = badge && links.get(badge)
  const state = link && states.get(link)
  return state?.data && state.badge === badge
    ? { node: badge!, link: link!, target: state.target, data: state.data }
    : null
}

/** Resets the state of a link, and removes its badge if it had one. */
export function resetLink(link: Element, target: LinkTarget): LinkState {
  removeState(link)
  const state: LinkState = {
    target,
    data: undefined,
    badge: null,
    look: '',
    draw: null,
    insertions: 0,
    insertedAt: 0,
  }
  states.set(link, state)
  return state
}

/** Removes the badge of a link, the styles that make room for it, and the state. */
export function removeState(link: Element): void {
  const state = states.get(link)
  if (state === undefined) return
  state.badge?.remove()
  link.removeAttribute(TITLE_ATTRIBUTE)
  if (link instanceof HTMLElement) link.style.removeProperty(ROOM_PROPERTY)
  states.delete(link)
}

/** Inserts the badge of a link after it, unless it is there, or another script keeps removing it. */
export function insertBadge(link: HTMLAnchorElement, state: LinkState): void {
  const { badge, target } = state
  if (!badge || isInPlace(badge)) return
  const now = performance.now()
  if (now - state.insertedAt > QUIET_MS) state.insertions = 0
  state.insertedAt = now
  if (++state.insertions > MAX_INSERTIONS) {
    if (state.insertions === MAX_INSERTIONS + 1) report('badges: given up', 'Another script keeps removing a badge.')
    return
  }
  badge.setAttribute(BADGE_ATTRIBUTE, target.repository)
  links.set(badge, link)
  link.after(badge)
}

/** Returns the links of the badges at or below `root`. Removes copies of badges there. */
export function badgedLinks(root: Element): Element[] {
  const badges: Element[] = [...root.querySelectorAll(`[${BADGE_ATTRIBUTE}]`)]
  if (root.hasAttribute(BADGE_ATTRIBUTE)) badges.push(root)
  return badges.flatMap((badge) => {
    const link = links.get(badge)
    if (link) return link
    badge.remove()
    return []
  })
}

/** Returns the visible links that name a plugin, in the order of the page, with or without their badge yet. */
export const pluginLinks = ({ selector }: Pick<PageKind, 'selector'>): Element[] =>
  [...document.querySelectorAll(selector)].filter((link) => states.get(link)?.data && isVisible(link))

/** Returns false for an element that the browser reports as invisible. Several times as fast as measuring it. */
export const isVisible = (element: Element): boolean =>
  element.checkVisibility?.({ visibilityProperty: true, checkVisibilityCSS: true }) !== false

export function removeBadges(): void {
  for (const badge of document.querySelectorAll(`[${BADGE_ATTRIBUTE}]`)) {
    const link = links.get(badge)
    if (link) removeState(link)
    badge.remove()
  }
}

/** Finished badges without names, by everything that they depend on: cloning one is cheaper than creating it. */
const templates = new Map<string, HTMLElement>()

/**
 * Creates the badge of a link as one element, which looks like a label and a copy button: a page has hundreds of badges,
 * of which the user uses a few. `expandBadge` adds the two buttons.
 *
 * @param isLabelled false in prose, where the word would become part of another author's sentence, be found by a
 *   search, and break more lines
 */
export function createBadge(
  link: Pick<URL, 'pathname'>,
  data: LinkBadge,
  isLabelled: boolean,
  locale: Locale,
): HTMLElement {
  const key = `${locale} ${data.category} ${data.count} ${data.action} ${isLabelled}`
  let template = templates.get(key)
  if (template === undefined) {
    const text = labelText(data, locale)
    const look = `plugmark-badge${isLabelled ? '' : ' plugmark-wordless'}${hasCommand(data) ? '' : ' plugmark-none'}`
    const attributes = { class: look, role: 'button', tabindex: '0', dir: 'ltr', lang: locale }
    template = element('span', { ...attributes, 'data-plugmark-word': text }, ...(isLabelled ? [text] : []))
    templates.set(key, template)
  }
  const badge = template.cloneNode(true) as HTMLElement
  badge.setAttribute('aria-label', nameOf(data, spelledName(link, data), locale))
  return badge
}

/** Returns the name of a badge's plugin, or of a repository with several, in the spelling of its link. */
const spelledName = ({ pathname }: Pick<URL, 'pathname'>, { fullName }: LinkBadge): string =>
  displayText(fullName ?? repositoryName(pathname) ?? '')

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
  node.setAttribute('aria-label', labelText(data, locale))
  nameButtons(node, data, spelledName(link, data), locale)
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

export const isExpanded = (badge: Element): boolean => badge.firstElementChild !== null
/** Returns the part of an expanded badge that opens the card. */
export const labelOf = (badge: Element): HTMLElement => badge.firstElementChild as HTMLElement
/** Returns the part of an expanded badge that copies, or explains why it cannot. */
export const actionOf = (badge: Element): HTMLElement => badge.lastElementChild as HTMLElement

/** Removes the word of a badge, where a line has no room for it. */
export function removeWord(badge: HTMLElement): void {
  badge.classList.add('plugmark-wordless')
  // The label of an expanded badge contains its word.
  const word = badge.firstElementChild ?? badge
  word.textContent = ''
}

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
  labelOf(badge).setAttribute('aria-label', nameOf(data, fullName, locale))
  if (hasCommand(data)) actionOf(badge).setAttribute('aria-label', actionName(data, fullName, locale))
}

/** Returns the accessible name of a badge. It begins with the visible text. */
function nameOf(data: BadgeData, fullName: string, locale: Locale): string {
  const words = BADGE_WORDS[locale]
  return words.badgeOf(labelText(data, locale), data.count > 1 ? fullName : words.pluginOf(fullName))
}

const hasCommand = ({ action }: BadgeData): boolean => action === 'copy' || action === 'choose'

const labelText = ({ category, count }: BadgeData, locale: Locale): string =>
  count > 1 ? BADGE_WORDS[locale].pluginCount(count) : CONTRACT[locale].category(category)

const actionName = ({ action }: BadgeData, fullName: string, locale: Locale): string =>
  action === 'copy' ? BADGE_WORDS[locale].copyCommandOf(fullName) : BADGE_WORDS[locale].chooseCommand(fullName)
