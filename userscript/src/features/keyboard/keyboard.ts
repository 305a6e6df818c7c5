import type { PageContext } from '../../app.ts'
import type { PageKind } from '../../github/page-kinds.ts'
import { BADGE_ATTRIBUTE, pluginLinks, stateOf } from '../../start/badge.ts'
import { stepOf } from '../../start/tab.ts'

/** Keys that focus the next and the previous badge, in the form of `aria-keyshortcuts`. */
export const NEXT_KEYS = 'Alt+Shift+N'
export const PREVIOUS_KEYS = 'Alt+Shift+P'

/** The button of a badge whose card is open. */
const CARD_OPENER = `[${BADGE_ATTRIBUTE}] [aria-expanded=true]`

/** The link to continue from when the focus is not on a badge, but on a button of the summary. */
let lastFocused: WeakRef<Element> | null = null

export function initKeyboard({ kind, signal }: PageContext): void {
  if (kind === null) return
  const onKey = (event: KeyboardEvent) => {
    const step = stepOf(event)
    if (step !== null && focusPlugin(step, kind)) event.preventDefault()
  }
  // Badges keep their keys from the page, after this listener.
  addEventListener('keydown', onKey, { capture: true, signal })
}

/**
 * Focuses the badge after (1) or before (-1) the focused one, and wraps around.
 *
 * @returns false when the page has none
 */
export function focusPlugin(step: 1 | -1, kind: PageKind): boolean {
  const links = pluginLinks(kind)
  if (links.length === 0) return false
  const { activeElement } = document
  // A card stands for the badge that opened it.
  const from = activeElement?.closest('.plugmark-card') ? document.querySelector(CARD_OPENER) : activeElement
  const focused = links.findIndex((link) => stateOf(link)?.badge?.contains(from))
  const last = lastFocused?.deref()
  const index = focused < 0 && last ? links.indexOf(last) : focused
  const link = index < 0 ? links.at(step === 1 ? 0 : -1)! : links[(index + step + links.length) % links.length]!
  lastFocused = new WeakRef(link)
  stateOf(link)?.draw?.()
  link.scrollIntoView({ block: 'center' })
  const badge = stateOf(link)?.badge
  // A badge with buttons is not in the Tab order itself.
  const stop = badge?.querySelector('button') ?? badge
  stop?.focus({ preventScroll: true, focusVisible: true } as FocusOptions)
  return true
}
