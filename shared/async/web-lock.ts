import { inProcessLock } from './in-process-lock.ts'
import type { Lock } from './lock.ts'

/** Shared by every web lock of this tab when the browser has none. */
const fallback = inProcessLock()

/** Exports a function to the page that owns `target`. Exists only in the sandboxes that Firefox runs userscripts in. */
declare const exportFunction: (<T>(own: T, target: object) => T) | undefined

/**
 * Creates a lock over all tabs and workers of an origin, by the Web Locks API. Falls back to a lock within this tab when
 * the API is absent (the page is not a secure context) or denied (site data is blocked).
 *
 * @param name the same for all that share the lock
 */
export function webLock(name: string, locks: typeof navigator.locks | undefined = globalThis.navigator?.locks): Lock {
  if (locks === undefined) return fallback

  return {
    async run<T>(waitMs: number, task: () => Promise<T>) {
      let running = null as Promise<T> | null
      const limit = new AbortController()
      const timer = setTimeout(() => limit.abort(), waitMs)
      const hold = () => {
        clearTimeout(timer)
        running = task()
        // Firefox cannot read a promise made in a sandbox and would release the lock at once. It can read a promise that
        // the page's own stream made.
        const held = new ReadableStream().getReader()
        Promise.allSettled([running]).then(() => held.cancel())
        return held.closed
      }
      try {
        const own = typeof exportFunction === 'function' ? exportFunction(hold, locks) : hold
        await locks.request(name, { signal: limit.signal }, own)
      } catch {
        clearTimeout(timer)
        if (!running) return limit.signal.aborted ? { held: false } : fallback.run(waitMs, task)
      }
      return { held: true, value: await running! }
    },
  }
}
