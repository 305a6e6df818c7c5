/** Events after which the page may be another one: Turbo and React navigation, history, a frame's new content. */
const SHOWN_EVENTS = ['turbo:render', 'turbo:load', 'turbo:frame-render', 'soft-nav:react-done', 'popstate', 'pageshow']

/**
 * @param onShown called now, and whenever a page was shown, even if it is the same
 * @param onReplaced called when a page is about to be replaced
 */
export function watchNavigation(onShown: () => void, onReplaced: () => void): void {
  onShown()
  for (const type of SHOWN_EVENTS) {
    addEventListener(
      type,
      ({ state }: Event & { readonly state?: { readonly turbo?: unknown } | null }) => {
        // Turbo has not rendered the page that this history entry is of; `turbo:render` follows.
        if (!state?.turbo) onShown()
      },
      // `soft-nav:react-done` is dispatched on the document and does not bubble.
      { capture: true },
    )
  }
  // Not `turbo:visit`: a download, or a visit that fails, leaves the page as it is.
  addEventListener('turbo:before-render', onReplaced)
}
