/** A page that says nothing of it by then is marked all the same. ms since it was opened */
const PATIENCE_MS = 5000

/** To look again. ms */
export const TAKEN_OVER_LOOK_MS = 50

/**
 * Whether React has yet to take over the part of the page that an element is in, which the code host's servers drew.
 * Where it does not find what they drew, because something was put between, it throws all of it away and draws it again.
 *
 * Source: the element around such a part says `data-ssr`, and has the class `loaded` once React has it (saved pages of
 * github.com, 2026-08).
 */
export const isUntaken = (element: Element | null): boolean =>
  performance.now() < PATIENCE_MS && element?.closest('[data-ssr=true]:not(.loaded)') != null
