import { ROOM_PROPERTY, TITLE_ATTRIBUTE, toggleWord } from './badge.ts'

/** Space between a link and its badge. px */
const MARGIN_PX = 8

/**
 * Keeps rows as high as they were without badges. When a badge with a word wraps below its link, a block title makes
 * room for it, and on a line without room the badge loses its word. It keeps the word where it has a line of its own.
 */
export function keepRowHeights(badges: readonly HTMLElement[]): void {
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
  const crowded = blocks.length === 0 ? below : below.filter(isBelowLink)
  for (const badge of crowded) toggleWord(badge, false)
  const alone = crowded.filter(isBelowLink)
  for (const badge of alone) toggleWord(badge, true)
  for (const badge of alone.filter(isWiderThanLine)) toggleWord(badge, false)
}

/** Returns the title of a badge: the link before it. */
const titleOf = (badge: Element) => badge.previousElementSibling as HTMLElement

const isWiderThanLine = (badge: HTMLElement) => badge.offsetWidth > badge.parentElement!.offsetWidth

function isBelowLink(badge: Element): boolean {
  const link = badge.previousElementSibling
  return link !== null && badge.getBoundingClientRect().top >= link.getBoundingClientRect().bottom - 1
}
