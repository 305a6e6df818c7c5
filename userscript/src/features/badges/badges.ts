import type { App } from '../../app.ts'
import { isAwaitingHydration } from '../../github/hydration.ts'
import type { PageContext } from '../../page.ts'
import { ICONS } from '../../ui/icons.ts'
import { addStyles } from '../../ui/stylesheet.ts'
import css from './badge.css?raw'
import { createBadge } from './badge.ts'
import { listenToBadges } from './badge-events.ts'
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
  listenToBadges(app, signal)
  const rows = createRowKeeper()
  const marker = markLinks(
    { kind, url, signal },
    {
      lookup: app.lookup,
      look: `${locale} ${app.settings.current.cli}`,
      createBadge(link, data) {
        addStyles(`.plugmark-badge { --plugmark-icons: ${ICONS} }\n${css}`)
        const isLabelled = !link.closest('.markdown-body')
        const badge = createBadge(data, isLabelled, locale)
        if (isLabelled) rows.add(badge)
        return badge
      },
      onMarked: () => page.marked.dispatchEvent(new Event('marked')),
    },
  )
  app.index.onUpdate(marker.requery, signal)
}

/**
 * Keeps rows as high as they were without badges: where a badge stands below its link, a title that is a block makes room
 * for it, and on a line without room the badge loses its word. Measures when the browser has laid out the page, which it
 * reports before it paints, so nothing is laid out for this alone.
 */
function createRowKeeper() {
  let unmeasured: HTMLElement[] = []
  const isBelow = (badge: Element): boolean => {
    const link = badge.previousElementSibling
    return link !== null && badge.getBoundingClientRect().top >= link.getBoundingClientRect().bottom - 1
  }
  const measure = () => {
    const below = unmeasured.filter(isBelow)
    unmeasured = []
    const blocks = below.flatMap((badge) => {
      const title = badge.previousElementSibling as HTMLElement
      const { display } = getComputedStyle(title)
      const roomPx = Math.ceil(badge.getBoundingClientRect().width) + 8
      if (display.startsWith('inline')) return []
      return { title, roomPx, display: display.includes('box') ? '-webkit-inline-box' : 'inline-block' }
    })
    for (const { title, roomPx, display } of blocks) {
      title.style.display = display
      title.style.maxWidth = `calc(100% - ${roomPx}px)`
      title.style.verticalAlign = 'top'
    }
    const tight = blocks.length === 0 ? below : below.filter(isBelow)
    for (const badge of tight) {
      badge.classList.add('plugmark-wordless')
      // An expanded badge has its word in its label.
      const word = badge.firstElementChild ?? badge
      word.textContent = ''
    }
  }
  const laidOut = new ResizeObserver(() => {
    laidOut.disconnect()
    measure()
  })
  return {
    add(badge: HTMLElement) {
      if (unmeasured.length === 0) laidOut.observe(badge)
      unmeasured.push(badge)
    },
  }
}
