import { badgesOf } from './count.ts'

/** Keys that go to the next and the previous badge, as a person reads them and as `aria-keyshortcuts` has them. */
export const NEXT_KEYS = 'Alt+Shift+N'
export const PREVIOUS_KEYS = 'Alt+Shift+P'

/** From a button of the summary the focus has left the badges: this is where it was. */
let lastJump: HTMLElement | null = null

/** Puts the focus on the badge after, or before, the one the person was at; from the last it goes on to the first. */
export function jump(step: 1 | -1): void {
  const badges = badgesOf(document)
  if (badges.length === 0) return
  const focused = badges.findIndex((badge) => badge.contains(document.activeElement))
  const at = focused < 0 && lastJump ? badges.indexOf(lastJump) : focused
  const next = at < 0 ? (step === 1 ? 0 : badges.length - 1) : (at + step + badges.length) % badges.length
  const badge = badges[next]!
  lastJump = badge
  badge.scrollIntoView({ block: 'center' })
  badge.querySelector('button')?.focus({ preventScroll: true })
}

/** Calls `jump` on its keys. The physical key counts, for with Alt a layout may give another character. */
export function followKeys(isOn: () => boolean): void {
  addEventListener('keydown', (event) => {
    if (!event.altKey || !event.shiftKey || event.ctrlKey || event.metaKey || !isOn()) return
    const step = event.code === 'KeyN' ? 1 : event.code === 'KeyP' ? -1 : null
    if (step === null || isEditable(event.target)) return
    event.preventDefault()
    jump(step)
  })
}

const isEditable = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
