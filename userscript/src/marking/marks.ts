import { repositoryOfTarget, type Target } from './target.ts'

/** Set on every badge; its value is the folded `owner/repo` it stands for. */
export const BADGE_ATTRIBUTE = 'data-plugmark-badge'

interface Mark {
  /** What the link led to when the badge was made. */
  readonly target: Target
  /** What the badge was made from. */
  readonly known: unknown
  readonly edition: number
  readonly badge: HTMLElement
}

/**
 * Which badge belongs to which link. A badge is the sibling after its link, so that it moves with the row; it is known
 * by its node, so that a copy of it (a cloned row, a page restored from a snapshot) is told from the real one.
 */
export interface Marks {
  /** Whether the link has a badge for `target` made from this very `known`, of this edition. */
  has(link: Element, target: Target, known: unknown, edition: number): boolean
  /** Whether the link has a badge, whatever it stands for. */
  hasAny(link: Element): boolean
  /** The link a badge of ours belongs to; undefined for any other node. */
  linkOf(node: Node): Element | undefined
  /** Whether the node is a badge of ours that stands where it should. */
  isInPlace(node: Node): boolean
  /** Puts a badge after the link, which has none. */
  put(link: Element, mark: Mark): void
  /** Puts the link's badge back where a re-render took it away from. */
  repair(link: Element): void
  remove(link: Element): void
  /** The links of the badges at or below `root`. What looks like a badge there, and is none of ours, is removed. */
  linksIn(root: Element): Element[]
}

export function createMarks(): Marks {
  const marks = new WeakMap<Element, Mark>()
  const links = new WeakMap<Node, Element>()
  const isInPlace = (node: Node) => links.get(node)?.nextElementSibling === node

  return {
    has(link, target, known, edition) {
      const mark = marks.get(link)
      return mark?.target === target && mark.known === known && mark.edition === edition
    },
    hasAny: (link) => marks.has(link),
    linkOf: (node) => links.get(node),
    isInPlace,
    put(link, mark) {
      mark.badge.setAttribute(BADGE_ATTRIBUTE, repositoryOfTarget(mark.target))
      marks.set(link, mark)
      links.set(mark.badge, link)
      link.after(mark.badge)
    },
    repair(link) {
      const badge = marks.get(link)?.badge
      if (badge && !isInPlace(badge)) link.after(badge)
    },
    remove(link) {
      marks.get(link)?.badge.remove()
      marks.delete(link)
    },
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
