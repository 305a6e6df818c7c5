/** Space between an overlay and its source, and between it and the edge of the window. px */
const GAP = 4
const EDGE = 8

/**
 * Shows an element above the page, beside `source`: in the top layer if the browser has popovers, else by its
 * `z-index`. It is a child of the root element, or of the source's dialog, so that rows and their scripts do not affect
 * it. Its position is relative to the document, so that it scrolls with its source.
 */
export function showOverlay(overlay: HTMLElement, source: HTMLElement): void {
  overlay.popover = 'manual'
  // Nothing outside an open modal dialog can be used.
  const host = source.closest('dialog') ?? document.documentElement
  host.append(overlay)
  // With a source, Tab leads from it into the overlay and on to what comes after the source.
  if (typeof overlay.showPopover === 'function') overlay.showPopover({ source })
  placeOverlay(overlay, source)
}

/**
 * Places it below the source, else above it, unless that would leave the pointer beside it, else anywhere fully
 * visible.
 */
export function placeOverlay(overlay: HTMLElement, source: HTMLElement): void {
  const at = source.getBoundingClientRect()
  // On a phone its styles attach it to the window. The source stays visible above it.
  if (getComputedStyle(overlay).position === 'fixed') {
    overlay.style.top = ''
    overlay.style.left = ''
    scrollBy(0, Math.max(0, at.bottom + GAP - overlay.getBoundingClientRect().top))
    return
  }
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
