/** Timers and promises of a page. None of them acts once the page's signal has aborted. */

export function onEnd(signal: AbortSignal, end: () => void): void {
  if (signal.aborted) end()
  else signal.addEventListener('abort', end, { once: true })
}

/** Calls `action` after `ms`, unless the page ends or the returned function is called before. */
export function after(signal: AbortSignal, ms: number, action: () => void): () => void {
  if (signal.aborted) return () => {}
  const cancel = () => {
    clearTimeout(timer)
    signal.removeEventListener('abort', cancel)
  }
  const timer = setTimeout(() => {
    cancel()
    action()
  }, ms)
  onEnd(signal, cancel)
  return cancel
}

/** Longest wait for an idle moment. ms */
const PATIENCE_MS = 500

/**
 * Calls `action` when the browser is idle, unless the page ends before.
 *
 * @param patienceMs longest wait
 */
export function whenIdle(action: () => void, signal?: AbortSignal, patienceMs = PATIENCE_MS): void {
  const run = () => {
    if (!signal?.aborted) action()
  }
  // Not every browser has it.
  if (typeof requestIdleCallback === 'function') requestIdleCallback(run, { timeout: patienceMs })
  else setTimeout(run, 1)
}

/**
 * Settles as `promise` does, but never after the page has ended: what follows would happen to the next page. Then a `finally`
 * behind it does not run either.
 */
export function whileShown<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    promise.then(
      (value) => signal.aborted || resolve(value),
      (error) => signal.aborted || reject(error),
    )
  })
}
