import type { App } from '../../app.ts'
import { after } from '../../base/lifetime.ts'
import { isAwaitingHydration } from '../../github/hydration.ts'
import type { PageKind } from '../../github/page-kinds.ts'
import type { PageContext } from '../../page.ts'
import { ICONS } from '../../ui/icons.ts'
import { addStyles } from '../../ui/stylesheet.ts'
import css from './badge.css?raw'
import { createBadge } from './badge.ts'
import { listenToBadges } from './badge-events.ts'
import { ROOM_PROPERTY, removeBadges, TITLE_ATTRIBUTE } from './link-states.ts'
import { markLinks } from './marker.ts'

/** Space between a link and its badge. px */
const MARGIN_PX = 8

/** Time between two checks of a list that React has not hydrated. ms */
const HYDRATION_LOOK_MS = 50

/** Marks the plugins of a page with badges. */
export function initBadges(page: PageContext, app: App): void {
  if (page.kind === null) {
    removeBadges()
    return
  }
  listenToBadges(app, page.signal)
  markWhenHydrated(page, page.kind, app)
}

function markWhenHydrated(page: PageContext, kind: PageKind, app: App): void {
  const { url, signal } = page
  // Prose is never hydrated.
  if (kind.linkStyle === 'list' && isAwaitingHydration(document.querySelector(kind.selector))) {
    after(signal, HYDRATION_LOOK_MS, () => markWhenHydrated(page, kind, app))
    return
  }
  const locale = app.locale()
  const marker = markLinks(
    { kind, url, signal },
    {
      lookup: app.lookup,
      look: `${locale} ${app.settings.current.cli}`,
      createBadge(link, data) {
        addStyles(`.plugmark-badge { --plugmark-icons: ${ICONS} }\n${css}`)
        return createBadge(data, !link.closest('.markdown-body, #readme'), locale)
      },
      // Forces the layout before the first paint; the frame reuses it.
      onInserted: (badges) => queueMicrotask(() => keepRows(badges)),
      onMarked: () => page.marked.dispatchEvent(new Event('marked')),
    },
  )
  app.index.onUpdate(marker.requery, signal)
}

/**
 * Keeps rows as high as they were without badges. When a badge with a word wraps below its link, a block title makes
 * room for it, and on a line without room the badge loses its word.
 */
function keepRows(badges: readonly HTMLElement[]): void {
  const below = badges.filter((badge) => !badge.classList.contains('plugmark-wordless') && isBelowLink(badge))
  const blocks = below.filter((badge) => !getComputedStyle(titleOf(badge)).display.startsWith('inline'))
  for (const badge of blocks) {
    const title = titleOf(badge)
    // A line clamp works only in a box.
    const isClamped = getComputedStyle(title).webkitLineClamp !== 'none'
    title.setAttribute(TITLE_ATTRIBUTE, isClamped ? 'clamped' : '')
  }
  // Shortens a long title to make room for the badge.
  for (const badge of blocks.filter(isBelowLink)) {
    const roomPx = Math.ceil(badge.getBoundingClientRect().width) + MARGIN_PX
    titleOf(badge).style.setProperty(ROOM_PROPERTY, `${roomPx}px`)
  }
  for (const badge of blocks.length === 0 ? below : below.filter(isBelowLink)) {
    badge.classList.add('plugmark-wordless')
    // The label of an expanded badge contains its word.
    const word = badge.firstElementChild ?? badge
    word.textContent = ''
  }
}

/** Returns the title of a badge: the link before it. */
const titleOf = (badge: Element) => badge.previousElementSibling as HTMLElement

function isBelowLink(badge: Element): boolean {
  const link = badge.previousElementSibling
  return link !== null && badge.getBoundingClientRect().top >= link.getBoundingClientRect().bottom - 1
}
