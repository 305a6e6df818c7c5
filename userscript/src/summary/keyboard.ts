import { BADGE_ATTRIBUTE } from '../badge/badge.ts'
import { type MarkedPage, pluginLinks } from './count.ts'

/** Keys that focus the next and the previous badge, in the form of `aria-keyshortcuts`. */
export const NEXT_KEYS = 'Alt+Shift+N'
export const PREVIOUS_KEYS = 'Alt+Shift+P'

/** The button of a badge whose card is open. */
const CARD_OPENER = `[${BADGE_ATTRIBUTE}] [aria-expanded=true]`

/** Where to go on from when the focus is not on a badge, but on a button of the summary. */
let lastFocused: Element | null = null

/**
 * Focuses the badge after (1) or before (-1) the focused one, around the ends.
 *
 * @returns whether the page has any
 */
export function focusPlugin(step: 1 | -1, page: MarkedPage): boolean {
  const links = pluginLinks(page)
  if (links.length === 0) return false
  const { activeElement } = document
  // A card stands for the badge that opened it.
  const from = activeElement?.closest('.plugmark-card') ? document.querySelector(CARD_OPENER) : activeElement
  const focused = links.findIndex((link) => badgeOf(link)?.contains(from))
  const index = focused < 0 && lastFocused ? links.indexOf(lastFocused) : focused
  const link = index < 0 ? links.at(step === 1 ? 0 : -1)! : links[(index + step + links.length) % links.length]!
  lastFocused = link
  link.scrollIntoView({ block: 'center' })
  badgeOf(link)?.querySelector('button')?.focus({ preventScroll: true, focusVisible: true })
  return true
}

/** Focuses badges by `NEXT_KEYS` and `PREVIOUS_KEYS`. @param markedPage null where there are no badges */
export function watchKeys(markedPage: () => MarkedPage | null): void {
  addEventListener('keydown', (event) => {
    if (!event.altKey || !event.shiftKey || event.ctrlKey || event.metaKey) return
    // The physical key where there is no Latin letter: with Alt a keyboard layout may have another character there.
    const letter = /^[a-z]$/i.test(event.key) ? event.key.toUpperCase() : event.code.replace('Key', '')
    const step = letter === 'N' ? 1 : letter === 'P' ? -1 : null
    const page = markedPage()
    if (step === null || page === null || isEditable(event.target)) return
    if (focusPlugin(step, page)) event.preventDefault()
  })
}

/** A badge stands after its link. */
const badgeOf = (link: Element) => link.nextElementSibling

const isEditable = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select'))
