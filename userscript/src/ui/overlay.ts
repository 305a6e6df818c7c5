/** Between an overlay and what it belongs to, and between it and the edge of the window. px */
const GAP = 4
const EDGE = 8

/**
 * Shows an element above the page, beside `source`: in the top layer where the browser has popovers, else by its
 * `z-index`. It hangs on the root element, or on the dialog the source is in, so that rows and their scripts have no part in it, and is placed on the
 * document, so that it scrolls with what it belongs to.
 */
export function showOverlay(overlay: HTMLElement, source: HTMLElement): void {
  overlay.popover = 'manual'
  // Nothing outside of a modal dialog can be used while that is open.
  const host = source.closest('dialog') ?? document.documentElement
  host.append(overlay)
  // With a source, Tab leads from it into the overlay and on to what comes after the source.
  if (typeof overlay.showPopover === 'function') overlay.showPopover({ source })
  placeOverlay(overlay, source)
}

/** Below the source, else above it, unless a pointer on it would then be beside it, else wherever it is all to be seen. */
export function placeOverlay(overlay: HTMLElement, source: HTMLElement): void {
  const at = source.getBoundingClientRect()
  const { width, height } = overlay.getBoundingClientRect()
  const { clientWidth, clientHeight } = document.documentElement
  const lowest = clientHeight - height - EDGE
  const below = at.bottom + GAP
  const above = at.top - GAP - height
  const top = below <= lowest ? below : above >= EDGE && !overlay.matches(':hover') ? above : Math.max(EDGE, lowest)
  const left = Math.max(EDGE, Math.min(at.left, clientWidth - width - EDGE))
  overlay.style.top = `${top + scrollY}px`
  overlay.style.left = `${left + scrollX}px`
}
