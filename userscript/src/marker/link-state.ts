import { repositoryOfTarget, type Target } from '../github/target.ts'

/** Set on every badge; its value is the folded `owner/repo` it stands for. */
export const BADGE_ATTRIBUTE = 'data-plugmark-badge'

/** All that is kept of a link that leads somewhere: one entry, for a page has thousands. */
export interface Mark<T> {
  readonly target: Target
  /** Still to come where it is known what it is made from. */
  badge: HTMLElement | null
  /** What a badge is made from; null where there is to be none. */
  known: T | null
  /** Which edition the badge is of. */
  edition: number
}

/**
 * Which badge belongs to which link. A badge is the sibling after its link, so that it moves with the row; it is known
 * by its node, so that a copy of it (a cloned row, a page restored from a snapshot) is told from the real one.
 */
export interface Marks<T> {
  of(link: Element): Mark<T> | undefined
  /** Begins anew with a link that leads to `target`; what was kept of it is forgotten. */
  begin(link: Element, target: Target): Mark<T>
  /** Takes its badge away, and all that was kept of it. */
  forget(link: Element): void
  /** Puts the badge of a link where it should stand, new or taken away from there by a re-render. */
  place(link: Element, mark: Mark<T>): void
  /** The link a badge of ours belongs to; undefined for any other node. */
  linkOf(node: Node): Element | undefined
  /** Whether the node is a badge of ours that stands where it should. */
  isInPlace(node: Node): boolean
  /** The links of the badges at or below `root`. What looks like a badge there, and is none of ours, is removed. */
  linksIn(root: Element): Element[]
}

export function createMarks<T>(): Marks<T> {
  const marks = new WeakMap<Element, Mark<T>>()
  const links = new WeakMap<Node, Element>()
  const isInPlace = (node: Node) => links.get(node)?.nextElementSibling === node
  const forget = (link: Element) => {
    marks.get(link)?.badge?.remove()
    marks.delete(link)
  }

  return {
    of: (link) => marks.get(link),
    begin(link, target) {
      forget(link)
      const mark = { target, badge: null, known: null, edition: 0 }
      marks.set(link, mark)
      return mark
    },
    forget,
    place(link, { badge, target }) {
      if (!badge || isInPlace(badge)) return
      badge.setAttribute(BADGE_ATTRIBUTE, repositoryOfTarget(target))
      links.set(badge, link)
      link.after(badge)
    },
    linkOf: (node) => links.get(node),
    isInPlace,
    linksIn(root) {
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
