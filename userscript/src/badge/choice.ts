import { element } from './element.ts'
import { icon } from './icons.ts'
import type { OfferedCommand } from './offer.ts'

/** Between the button and the list, and between the list and the edge of the window. px */
const GAP = 4
const EDGE = 8

export interface ChoiceOptions {
  readonly label: string
  /** Stands below the list. */
  readonly note: string
  readonly nameOf: (offered: OfferedCommand) => string
  readonly choose: (offered: OfferedCommand) => unknown
}

/**
 * A small list of commands under the button, in the top layer: Escape or a click elsewhere closes it, and the focus
 * goes back to the button.
 */
export function openChoice(button: HTMLElement, among: readonly OfferedCommand[], options: ChoiceOptions): void {
  if (button.nextElementSibling?.classList.contains('plugmark-choice')) return
  const list = element('span', {
    class: 'plugmark-choice',
    popover: 'auto',
    role: 'dialog',
    'aria-label': options.label,
  })
  for (const offered of among) list.append(createRow(offered, options, () => list.hidePopover()))
  list.append(element('span', { class: 'plugmark-choice-note' }, options.note))
  list.addEventListener('toggle', (event) => {
    if ((event as ToggleEvent).newState === 'closed') list.remove()
  })
  // What happens in the list stays out of the row around it.
  list.addEventListener('click', (event) => event.stopPropagation())
  button.after(list)
  list.showPopover()
  place(list, button)
  list.querySelector('button')?.focus()
}

function createRow(offered: OfferedCommand, options: ChoiceOptions, close: () => void): HTMLElement {
  const row = element(
    'button',
    { type: 'button', class: 'plugmark-choice-row' },
    icon('copy'),
    element('span', { class: 'plugmark-choice-name' }, options.nameOf(offered)),
    element('code', {}, offered.command),
  )
  row.addEventListener('click', () => {
    options.choose(offered)
    close()
  })
  return row
}

/** Below the button, else above it, else wherever it is all to be seen. */
function place(list: HTMLElement, button: HTMLElement): void {
  const anchor = button.getBoundingClientRect()
  const { width, height } = list.getBoundingClientRect()
  const lowest = innerHeight - height - EDGE
  const below = anchor.bottom + GAP
  const above = anchor.top - GAP - height
  list.style.top = `${below <= lowest ? below : above >= EDGE ? above : Math.max(EDGE, lowest)}px`
  list.style.left = `${Math.max(EDGE, Math.min(anchor.left, innerWidth - width - EDGE))}px`
}
