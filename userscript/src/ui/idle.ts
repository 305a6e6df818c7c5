/** A page that is never idle is served after this time. ms */
const PATIENCE_MS = 500

/** Calls `action` when the browser has nothing else to do, unless the signal aborts before. */
export function whenIdle(action: () => void, signal?: AbortSignal): void {
  const run = () => {
    if (!signal?.aborted) action()
  }
  // Not in every browser.
  if (typeof requestIdleCallback === 'function') requestIdleCallback(run, { timeout: PATIENCE_MS })
  else setTimeout(run, 1)
}
