import type { App } from '../../app.ts'
import { isAwaitingHydration } from '../../github/hydration.ts'
import type { PageContext } from '../../page.ts'
import type { LinkBadge } from '../../plugins/lookup.ts'
import { ICONS } from '../../ui/icons.ts'
import { addStyles } from '../../ui/stylesheet.ts'
import css from './badge.css?raw'
import { createBadge, labelOf } from './badge.ts'
import { removeBadges } from './link-states.ts'
import { markLinks } from './marker.ts'

/** How often to look whether React has hydrated a list. ms */
const HYDRATION_LOOK_MS = 50

/** Marks the plugins of a page with badges. */
export function initBadges(page: PageContext, app: App): void {
  const { kind, url, signal } = page
  if (kind === null) {
    removeBadges()
    return
  }
  // Prose is never hydrated.
  if (kind.linkStyle === 'list' && isAwaitingHydration(document.querySelector(kind.selector))) {
    const timer = setTimeout(() => initBadges(page, app), HYDRATION_LOOK_MS)
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
    return
  }
  const locale = app.locale()
  const labels = createLabelMeasure()
  const create = (link: HTMLAnchorElement, data: LinkBadge) => {
    addStyles(`.plugmark-badge { --plugmark-icons: ${ICONS} }\n${css}`)
    app.announcer.prepare()
    const isLabelled = !link.closest('.markdown-body')
    const badge = createBadge(data, data.fullName ?? spelledName(link), isLabelled, locale)
    if (isLabelled) labels.add(badge)
    return badge
  }
  const marker = markLinks(
    { kind, url, signal },
    {
      lookup: app.lookup,
      look: `${locale} ${app.settings.current.cli}`,
      createBadge: create,
      // Forces a layout, once in this task and before the page is painted.
      onChunk: () => queueMicrotask(labels.hideOverflowing),
      onMarked: () => page.marked.dispatchEvent(new Event('marked')),
    },
  )
  app.index.onUpdate(marker.requery, signal)
}

/** Returns `owner/repo` as a link spells it. */
const spelledName = (link: HTMLAnchorElement): string => link.pathname.split('/', 3).slice(1).join('/')

/** Hides the word of each badge that stands below its link: the line has no room for it, and the row would be higher. */
function createLabelMeasure() {
  let unmeasured: HTMLElement[] = []
  return {
    add: (badge: HTMLElement) => void unmeasured.push(badge),
    /** Lays out the page if there are new badges with words. */
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
