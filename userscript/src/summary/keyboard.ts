import { BADGE_ATTRIBUTE } from '../badge/badge.ts'
import { type MarkedPage, pluginsOf } from './count.ts'

/** Keys that go to the next and the previous badge, as a person reads them and as `aria-keyshortcuts` has them. */
export const NEXT_KEYS = 'Alt+Shift+N'
export const PREVIOUS_KEYS = 'Alt+Shift+P'

/** What the open card hangs on. */
const OPENER = `[${BADGE_ATTRIBUTE}] [aria-expanded=true]`

/** From a button of the summary the focus has left the badges: this is where it was. */
let lastJump: Element | null = null

/** Puts the focus on the badge after, or before, the one the person was at; from the last it goes on to the first. */
export function jump(step: 1 | -1, marked: MarkedPage | null): void {
  const links = marked === null ? [] : pluginsOf(document, marked)
  if (marked === null || links.length === 0) return
  const { activeElement } = document
  // In a card, they are at the badge that it is of.
  const from = activeElement?.closest('.plugmark-card') ? document.querySelector(OPENER) : activeElement
  const focused = links.findIndex((link) => badgeOf(link)?.contains(from))
  const at = focused < 0 && lastJump ? links.indexOf(lastJump) : focused
  const link = links[at < 0 ? (step === 1 ? 0 : links.length - 1) : (at + step + links.length) % links.length]!
  lastJump = link
  link.scrollIntoView({ block: 'center' })
  badgeOf(link)?.querySelector('button')?.focus({ preventScroll: true, focusVisible: true })
}

/** Calls `jump` on its keys. The physical key counts, for with Alt a layout may give another character. */
export function followKeys(marked: () => MarkedPage | null): void {
  addEventListener('keydown', (event) => {
    if (!event.altKey || !event.shiftKey || event.ctrlKey || event.metaKey) return
    const step = event.code === 'KeyN' ? 1 : event.code === 'KeyP' ? -1 : null
    const page = marked()
    if (step === null || page === null || isEditable(event.target)) return
    event.preventDefault()
    jump(step, page)
  })
}

/** A badge stands behind its link. */
const badgeOf = (link: Element) => link.nextElementSibling

const isEditable = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select'))
