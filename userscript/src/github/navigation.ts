/** Time between two comparisons of the address in a browser that does not report its changes. ms */
const LOOK_MS = 200

/** Events after which the page is rendered for its address: Turbo, React, history, the back/forward cache. */
const DRAWN_EVENTS = ['turbo:render', 'turbo:load', 'soft-nav:react-done', 'pageshow']

/**
 * Calls `onChange` when the address of the page may have changed, whichever library changed it and whatever events it
 * sends. On Back, Turbo shows the old page under the new address until the new page arrives: then the call is delayed.
 */
export function watchAddress(onChange: () => void): void {
  const root = document.documentElement
  // Turbo marks the root element as busy during a visit.
  const look = () => {
    if (root.getAttribute('aria-busy') !== 'true') onChange()
  }
  // Turbo starts its visit in its own listener of `popstate`, after this event.
  const lookSoon = () => setTimeout(look)
  const { navigation } = globalThis as { navigation?: EventTarget }
  if (navigation) navigation.addEventListener('currententrychange', lookSoon)
  else setInterval(look, LOOK_MS)
  new MutationObserver(look).observe(root, { attributes: true, attributeFilter: ['aria-busy'] })
  // `soft-nav:react-done` is dispatched on the document and does not bubble.
  for (const type of DRAWN_EVENTS) addEventListener(type, onChange, { capture: true })
}
