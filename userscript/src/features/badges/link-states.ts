import { report } from '../../base/report.ts'
import type { LinkTarget } from '../../github/links.ts'
import type { PageKind } from '../../github/page-kinds.ts'
import type { LinkBadge } from '../../plugins/lookup.ts'

/** Set on every badge; its value is the folded `owner/repo` it stands for. */
export const BADGE_ATTRIBUTE = 'data-plugmark-badge'

/** A badge that is taken away more often than this in a row, each time within `QUIET_MS`, is not put back. */
const MAX_INSERTIONS = 8
const QUIET_MS = 5000

/** The state of one link. */
export interface LinkState {
  readonly target: LinkTarget
  /** The badge it gets: null for none, undefined while that is looked up. */
  data: LinkBadge | null | undefined
  badge: HTMLElement | null
  /** Language and program that the badge was rendered for. */
  look: string
  /** Insertions of the badge in a row. */
  insertions: number
  /** ms of `performance.now()` */
  insertedAt: number
}

/** A badge on the page that belongs to a link. */
export interface Badge {
  readonly node: HTMLElement
  readonly link: HTMLAnchorElement
  readonly target: LinkTarget
  readonly data: LinkBadge
}

/**
 * The badges of links. A badge is the sibling after its link, so that it moves with the row. It is identified by its node,
 * so that a copy of it (a cloned row, a page restored from a snapshot) is not taken for the real one.
 */
const states = new WeakMap<Element, LinkState>()
const links = new WeakMap<Node, HTMLAnchorElement>()

export const stateOf = (link: Element): LinkState | undefined => states.get(link)

/** Returns the link that a badge belongs to; undefined for any other node. */
export const linkOf = (node: Node): HTMLAnchorElement | undefined => links.get(node)

/** Returns true for a badge that stands right behind its link. */
export const isInPlace = (node: Node): boolean => links.get(node)?.nextElementSibling === node

/** Returns the badge that a node is in; null outside of badges, and in a copy of one. */
export function badgeAt(node: EventTarget | null): Badge | null {
  const badge = node instanceof Element ? node.closest<HTMLElement>(`[${BADGE_ATTRIBUTE}]`) : null
  const link = badge && links.get(badge)
  const state = link && states.get(link)
  return state?.data && state.badge === badge
    ? { node: badge!, link: link!, target: state.target, data: state.data }
    : null
}

/** Starts anew with a link; its badge, if it had one, is removed. */
export function resetLink(link: Element, target: LinkTarget): LinkState {
  removeState(link)
  const state: LinkState = { target, data: undefined, badge: null, look: '', insertions: 0, insertedAt: 0 }
  states.set(link, state)
  return state
}

/** Removes the badge of a link and what is known of it. */
export function removeState(link: Element): void {
  states.get(link)?.badge?.remove()
  states.delete(link)
}

/** Inserts the badge of a link behind it, unless it is there, or another script keeps removing it. */
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

/** Returns the visible links that name a plugin, in the order of the page, whether or not they have their badge yet. */
export const pluginLinks = ({ selector }: Pick<PageKind, 'selector'>): Element[] =>
  [...document.querySelectorAll(selector)].filter((link) => states.get(link)?.data && isVisible(link))

/** Several times as fast as measuring an element. Not in every browser. */
export const isVisible = (element: Element): boolean =>
  element.checkVisibility?.({ visibilityProperty: true, checkVisibilityCSS: true }) !== false

/** Removes every badge of the page. */
export function removeBadges(): void {
  for (const badge of document.querySelectorAll(`[${BADGE_ATTRIBUTE}]`)) {
    const link = links.get(badge)
    if (link) removeState(link)
    badge.remove()
  }
}
