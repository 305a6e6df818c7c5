/** A page that is never at rest is served all the same after this. ms */
const PATIENCE_MS = 500

/**
 * Puts work off until the browser has nothing else to do, each piece in a task of its own.
 *
 * @returns a function that asks for the work; asked again before it began, it is done once
 */
export function whenIdle(pieces: readonly (() => void)[]): () => void {
  let waiting = false
  const run = async () => {
    for (const piece of pieces) {
      await idle()
      waiting = false
      piece()
    }
  }
  return () => {
    if (waiting) return
    waiting = true
    void run()
  }
}

function idle(): Promise<unknown> {
  return new Promise((resolve) => {
    // Not in every browser.
    if (typeof requestIdleCallback === 'function') requestIdleCallback(resolve, { timeout: PATIENCE_MS })
    else setTimeout(resolve, 1)
  })
}
