/** A part of the page that is still not hydrated after this time is marked anyway. ms */
const MAX_WAIT_MS = 5000

/** Time when each such part was first seen, in ms of `performance.now()`. */
const seenAt = new WeakMap<Element, number>()

/**
 * Returns true if the server has rendered the part of the page around an element, and React has not hydrated it yet.
 * React renders a part again if its markup has changed before it is hydrated.
 *
 * Source: the element around such a part has `data-ssr`, and the class `loaded` once it is hydrated (saved pages of
 * github.com, 2026-08).
 */
export function isAwaitingHydration(element: Element | null): boolean {
  const part = element?.closest('[data-ssr=true]:not(.loaded)')
  if (!part) return false
  const now = performance.now()
  const since = seenAt.get(part) ?? now
  seenAt.set(part, since)
  return now - since < MAX_WAIT_MS
}
