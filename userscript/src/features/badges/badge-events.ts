import type { App } from '../../app.ts'
import { actionOf, expandBadge, isExpanded, labelOf } from './badge.ts'
import { badgeAt } from './link-states.ts'

/** Events at which a person begins to use a badge. */
const EXPANDING = ['pointerover', 'pointerdown', 'focusin', 'click'] as const

/** Events that a row, which may be a link or a control of its own, must not see from a badge in it. */
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
  'keydown',
  'keypress',
  'keyup',
] as const

/**
 * Gives badges their buttons when a person points at or focuses them, and keeps their events from the page. Listeners of
 * ours on the window still see these events; register this before them.
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

  // The label is the badge's tab stop; arrow keys move the focus between its two buttons.
  const move = ({ key, target }: KeyboardEvent) => {
    const badge = badgeAt(target)
    if (badge && key === 'ArrowRight') actionOf(badge.node).focus()
    if (badge && key === 'ArrowLeft') labelOf(badge.node).focus()
  }
  addEventListener('keydown', move, { capture: true, signal })
}

/**
 * Returns the part of a badge that an event is about. One that began when the badge was still one element has that as its
 * target: then the pointer decides, and without a pointer it is the label.
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
