/** How long a part of the page may take to be hydrated before it is marked all the same. ms */
const MAX_WAIT_MS = 5000

/** When each such part was first seen. ms of `performance.now()` */
const seenAt = new WeakMap<Element, number>()

/**
 * Whether React has yet to hydrate the part of the page that an element is in, which the code host's servers rendered.
 * Where React does not find what they rendered, because something was put between, it renders all of it again.
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
