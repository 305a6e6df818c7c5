/** A part of the page that says nothing of it for so long is marked all the same. ms */
const PATIENCE_MS = 5000

/** To look again. ms */
export const TAKEN_OVER_LOOK_MS = 50

/** When each such part was first looked at. ms of `performance.now()` */
const seenAt = new WeakMap<Element, number>()

/**
 * Whether React has yet to take over the part of the page that an element is in, which the code host's servers drew.
 * Where it does not find what they drew, because something was put between, it throws all of it away and draws it again.
 *
 * Source: the element around such a part says `data-ssr`, and has the class `loaded` once React has it (saved pages of
 * github.com, 2026-08).
 */
export function isUntaken(element: Element | null): boolean {
  const part = element?.closest('[data-ssr=true]:not(.loaded)')
  if (!part) return false
  const now = performance.now()
  const since = seenAt.get(part) ?? now
  seenAt.set(part, since)
  return now - since < PATIENCE_MS
}
