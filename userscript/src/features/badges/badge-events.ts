import type { App } from '../../app.ts'
import { actionOf, badgeAt, expandBadge, isExpanded, labelOf } from './badge.ts'

/** Events with which the user begins to use a badge. */
const EXPANDING = ['pointerover', 'pointerdown', 'focusin', 'click'] as const

/** Events that a row must not receive from a badge in it: the row may be a link or a control itself. */
const KEPT_FROM_PAGE = [
  'pointerdown',
  'pointerup',
  'mousedown',
  'mouseup',
  'touchstart',
  'touchend',
  'click',
  'auxclick',
  'dblclick',
  'dragstart',
] as const

/** Keys that a badge uses. All others are the site's own, also while a badge has the focus. */
const USED_KEYS = ['Enter', ' ', 'ArrowLeft', 'ArrowRight']

/**
 * Adds the buttons of a badge when the user points at or focuses it, and keeps its events from the page and badges from
 * copied text. Our listeners on the window still receive these events. Register this before them.
 */
export function listenToBadges({ locale, announcer }: App, signal: AbortSignal): void {
  const expand = ({ target }: Event) => {
    const badge = badgeAt(target)
    if (badge === null || isExpanded(badge.node)) return
    expandBadge(badge, locale())
    announcer.prepare()
  }
  for (const type of EXPANDING) addEventListener(type, expand, { capture: true, signal })

  const keep = (event: Event) => {
    if (badgeAt(event.target)) event.stopPropagation()
  }
  for (const type of KEPT_FROM_PAGE) addEventListener(type, keep, { capture: true, passive: true, signal })
  const keepKey = (event: KeyboardEvent) => {
    if (USED_KEYS.includes(event.key)) keep(event)
  }
  for (const type of ['keydown', 'keypress', 'keyup'] as const)
    addEventListener(type, keepKey, { capture: true, signal })

  // Otherwise copied text takes each badge in it along, with all its styles.
  const hideFromCopy = () => {
    const root = document.documentElement
    root.setAttribute('data-plugmark-copying', '')
    setTimeout(() => root.removeAttribute('data-plugmark-copying'))
  }
  addEventListener('copy', hideFromCopy, { capture: true, signal })

  // The label is the badge's tab stop; arrow keys move the focus between its two buttons.
  const move = ({ key, target }: KeyboardEvent) => {
    const badge = badgeAt(target)
    if (badge && key === 'ArrowRight') actionOf(badge.node).focus()
    if (badge && key === 'ArrowLeft') labelOf(badge.node).focus()
  }
  addEventListener('keydown', move, { capture: true, signal })
}

/**
 * Returns the part of a badge to which an event belongs. An event that began before the badge was expanded has the
 * whole badge as its target: then the pointer's position decides, and without a pointer it is the label.
 */
export function badgePartAt(event: Event): HTMLElement | null {
  const badge = badgeAt(event.target)
  if (badge === null || badge.node.firstElementChild === null) return null
  const [label, action] = [labelOf(badge.node), actionOf(badge.node)]
  const hit =
    event.target === badge.node && event instanceof MouseEvent
      ? document.elementFromPoint(event.clientX, event.clientY)
      : (event.target as Node)
  if (action.contains(hit)) return action
  if (label.contains(hit)) return label
  return event.type === 'click' ? label : null
}
