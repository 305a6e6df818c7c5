import { BADGE_ATTRIBUTE } from '../badge/badge.ts'
import type { LinkTarget } from '../github/links.ts'
import type { LinkBadge } from '../plugins/lookup.ts'

/** What is known of a link. */
export interface LinkState {
  readonly target: LinkTarget
  /** The badge it gets: null for none, undefined while that is looked up. */
  data: LinkBadge | null | undefined
  badge: HTMLElement | null
  /** Rendering that the badge is of. */
  edition: number
}

/**
 * Which badge belongs to which link. A badge is the sibling after its link, so that it moves with the row. It is known by
 * its node, so that a copy of it (a cloned row, a page restored from a snapshot) is not taken for the real one.
 */
export interface LinkStates {
  of(link: Element): LinkState | undefined
  /** Starts anew with a link; its badge, if it had one, is removed. */
  reset(link: Element, target: LinkTarget): LinkState
  /** Removes the badge of a link and what is known of it. */
  remove(link: Element): void
  /** Puts the badge of a link behind it, if it is not there. */
  insertBadge(link: Element, state: LinkState): void
  /** The link that a badge belongs to; undefined for any other node. */
  linkOf(node: Node): Element | undefined
  /** Whether the node is a badge that stands behind its link. */
  isInPlace(node: Node): boolean
  /** Links of the badges at or below `root`. Copies of badges there are removed. */
  badgedLinks(root: Element): Element[]
}

export function createLinkStates(): LinkStates {
  const states = new WeakMap<Element, LinkState>()
  const links = new WeakMap<Node, Element>()
  const isInPlace = (node: Node) => links.get(node)?.nextElementSibling === node
  const remove = (link: Element) => {
    states.get(link)?.badge?.remove()
    states.delete(link)
  }

  return {
    of: (link) => states.get(link),
    reset(link, target) {
      remove(link)
      const state = { target, data: undefined, badge: null, edition: 0 }
      states.set(link, state)
      return state
    },
    remove,
    insertBadge(link, { badge, target }) {
      if (!badge || isInPlace(badge)) return
      badge.setAttribute(BADGE_ATTRIBUTE, target.repository)
      links.set(badge, link)
      link.after(badge)
    },
    linkOf: (node) => links.get(node),
    isInPlace,
    badgedLinks(root) {
      const badges: Element[] = [...root.querySelectorAll(`[${BADGE_ATTRIBUTE}]`)]
      if (root.hasAttribute(BADGE_ATTRIBUTE)) badges.push(root)
      return badges.flatMap((badge) => {
        const link = links.get(badge)
        if (link) return link
        badge.remove()
        return []
      })
    },
  }
}
