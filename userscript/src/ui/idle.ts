/** Longest wait for an idle moment. ms */
const PATIENCE_MS = 500

/** Calls `action` when the browser is idle, unless the signal aborts before. */
export function whenIdle(action: () => void, signal?: AbortSignal): void {
  const run = () => {
    if (!signal?.aborted) action()
  }
  // Not every browser has it.
  if (typeof requestIdleCallback === 'function') requestIdleCallback(run, { timeout: PATIENCE_MS })
  else setTimeout(run, 1)
}
