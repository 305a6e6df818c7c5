import { report } from '../base/report.ts'
import { type LinkTarget, repositoryName } from '../github/links.ts'
import type { PageKind } from '../github/page-kinds.ts'
import type { StartWords } from '../i18n/start-words.ts'
import { displayText, element } from '../ui/element.ts'
import { ICONS } from '../ui/icons.ts'
import css from './start.css?raw'
import type { BadgeData, LinkBadge } from './stored-badges.ts'

/** One sheet for all that a start shows, so that the browser matches the page's elements once. */
export const START_STYLES = `.plugmark-badge, .plugmark-summary { --plugmark-icons: ${ICONS} }\n${css}`

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
  const found: Element[] = []
  for (const badge of badges) {
    const link = links.get(badge)
    if (link) found.push(link)
    else badge.remove()
  }
  return found
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

/** Finished badges, with the pattern of their names, by everything that they depend on: cloning is cheaper than creating. */
const templates = new Map<string, { readonly node: HTMLElement; readonly name: string }>()

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
  words: StartWords,
): HTMLElement {
  const { locale } = words
  const key = `${locale} ${data.category} ${data.count} ${data.action} ${isLabelled}`
  let template = templates.get(key)
  if (template === undefined) {
    const text = labelText(data, words)
    const look = `plugmark-badge${isLabelled ? '' : ' plugmark-wordless'}${hasCommand(data) ? '' : ' plugmark-none'}`
    const attributes = { class: look, role: 'button', tabindex: '0', dir: 'ltr', lang: locale }
    const node = element('span', { ...attributes, 'data-plugmark-word': text }, ...(isLabelled ? [text] : []))
    template = { node, name: badgeName(data, '{name}', words) }
    templates.set(key, template)
  }
  const badge = template.node.cloneNode(true) as HTMLElement
  badge.setAttribute('aria-label', fill(template.name, { name: spelledName(link, data) }))
  return badge
}

/** Replaces `{name}` and the like in words of the start. */
export function fill(pattern: string, values: Readonly<Record<string, string | number>>): string {
  let text = pattern
  for (const name in values) text = text.split(`{${name}}`).join(String(values[name]))
  return text
}

export function labelText({ category, count }: BadgeData, { categories, pluginCount }: StartWords): string {
  if (count > 1) return fill(pluginCount, { count })
  // The site can store any word.
  return categories[category !== null && Object.hasOwn(categories, category) ? category : 'other']!
}

/** Returns the accessible name of a badge. It begins with the visible text. */
export const badgeName = (data: BadgeData, name: string, words: StartWords): string =>
  fill(data.count > 1 ? words.plugins : words.plugin, { text: labelText(data, words), name })

/** Returns the name of a badge's plugin, or of a repository with several, in the spelling of its link. */
export const spelledName = ({ pathname }: Pick<URL, 'pathname'>, { fullName }: LinkBadge): string =>
  displayText(fullName ?? repositoryName(pathname) ?? '')

/** Shows or hides the word of a badge: a line may have no room for it. */
export function toggleWord(badge: HTMLElement, isShown: boolean): void {
  badge.classList.toggle('plugmark-wordless', !isShown)
  // The label of an expanded badge contains its word.
  const word = badge.firstElementChild ?? badge
  word.textContent = isShown ? badge.getAttribute('data-plugmark-word') : ''
}

/** Returns true if the button of a badge leads to a command. */
export const hasCommand = ({ action }: Pick<LinkBadge, 'action'>): boolean => action === 'copy' || action === 'choose'
