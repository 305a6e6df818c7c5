import type { LinkTarget } from '../github/links.ts'
import type { Messages } from '../i18n/index.ts'
import type { LinkBadge } from '../plugins/lookup.ts'
import { ICONS } from '../ui/icons.ts'
import { addStyles } from '../ui/stylesheet.ts'
import css from './badge.css?raw'
import { BADGE_ATTRIBUTE, createBadge, labelOf } from './badge.ts'

/** A badge of ours on the page. */
export interface Badge {
  readonly node: HTMLElement
  readonly target: LinkTarget
  readonly data: LinkBadge
}

/** The badges of a page. Copies of badges, in cloned or restored parts of a page, are not among them. */
export interface Badges {
  create(target: LinkTarget, data: LinkBadge, link: HTMLAnchorElement): HTMLElement
  /** The badge that a node belongs to. */
  at(node: EventTarget | null): Badge | null
  /**
   * Hides the word of each new badge that stands below its link: the line has no room for it, and the row would be higher.
   * Lays out the page if there are new badges with words.
   */
  hideOverflowing(): void
}

/** @param onFirst called when the page is about to have its first badge */
export function createBadges({ messages, onFirst }: { messages: () => Messages; onFirst: () => void }): Badges {
  const known = new WeakMap<Element, Badge>()
  let unmeasured: HTMLElement[] = []
  let isFirst = true
  return {
    create(target, data, link) {
      if (isFirst) {
        isFirst = false
        addStyles(`.plugmark-badge { --plugmark-icons: ${ICONS} }\n${css}`)
        onFirst()
      }
      const isLabelled = !link.closest('.markdown-body')
      // Spelled as in the link, until the listing is read.
      const fullName = data.fullName ?? link.pathname.split('/', 3).slice(1).join('/')
      const node = createBadge(data, fullName, isLabelled, messages())
      known.set(node, { node, target, data })
      if (isLabelled) unmeasured.push(node)
      return node
    },
    at(node) {
      const badge = node instanceof Element ? node.closest(`[${BADGE_ATTRIBUTE}]`) : null
      return badge && (known.get(badge) ?? null)
    },
    hideOverflowing() {
      const overflowing = unmeasured.filter((badge) => {
        const link = badge.previousElementSibling
        return link && badge.getBoundingClientRect().top > link.getBoundingClientRect().bottom
      })
      unmeasured = []
      for (const badge of overflowing) labelOf(badge).textContent = ''
    },
  }
}
