/** Events after which the page may be another one: Turbo and React navigation, history, a frame's new content. */
const ARRIVALS = ['turbo:render', 'turbo:load', 'turbo:frame-render', 'soft-nav:react-done', 'popstate', 'pageshow']

/**
 * Calls `arrive` now and whenever a page was shown, `leave` when one is being replaced.
 */
export function followNavigation(arrive: () => void, leave: () => void): void {
  arrive()
  for (const type of ARRIVALS) {
    addEventListener(type, ({ state }: Event & { readonly state?: { readonly turbo?: unknown } | null }) => {
      // Turbo draws that page later, and says so; until then the one before is shown.
      if (!state?.turbo) arrive()
    })
  }
  // Not when a visit begins: one to a file that is saved, or that fails, leaves this page as it is.
  addEventListener('turbo:before-render', leave)
}
