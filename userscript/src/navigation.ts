/** Events after which the page may be another one: Turbo and React navigation, history, a frame's new content. */
const ARRIVALS = ['turbo:render', 'turbo:load', 'turbo:frame-render', 'soft-nav:react-done', 'popstate', 'pageshow']

/** Events after which the page is about to be replaced. */
const DEPARTURES = ['turbo:visit', 'turbo:before-fetch-request']

/**
 * Calls `arrive` now and whenever a page was shown, `leave` when one is about to be replaced.
 */
export function followNavigation(arrive: () => void, leave: () => void): void {
  arrive()
  for (const type of ARRIVALS) {
    addEventListener(type, ({ state }: Event & { readonly state?: { readonly turbo?: unknown } | null }) => {
      // Turbo draws that page later, and says so; until then the one before is shown.
      if (!state?.turbo) arrive()
    })
  }
  for (const type of DEPARTURES) {
    addEventListener(type, ({ target }) => {
      // Turbo also fetches frames, forms and, on hover, the pages links lead to: those leave this page alone.
      if (target === document || target === document.documentElement) leave()
    })
  }
}
