import type { CatalogueLock } from '../types.ts'
import { inProcessLock } from './in-process.ts'

/** Shared by every web lock of this tab that has to do without the browser's. */
const fallback = inProcessLock()

/** Makes a function one of the page that `target` is of; only in the sandboxes that Firefox runs userscripts in. */
declare const exportFunction: (<T>(own: T, target: object) => T) | undefined

/**
 * A lock over all tabs and workers of an origin, by the Web Locks API. Where there is none (a page that is not a
 * secure context) or it is denied (blocked site data), a lock over this tab.
 *
 * @param name the same for everyone who shares the storage
 */
export function webLock(
  name = 'plugmark-catalogue',
  locks: typeof navigator.locks | undefined = globalThis.navigator?.locks,
): CatalogueLock {
  if (locks === undefined) return fallback

  return {
    async run<T>(waitMs: number, task: (isAlone: boolean) => Promise<T>) {
      let running = null as Promise<T> | null
      const limit = new AbortController()
      // Of no effect once the lock is there.
      setTimeout(() => limit.abort(), waitMs)
      const hold = () => {
        running = task(true)
        // Firefox may not read a promise of a sandbox, and would let go of the lock at once. It reads one that it made
        // itself, from a function of the page.
        const held = new ReadableStream().getReader()
        Promise.allSettled([running]).then(() => held.cancel())
        return held.closed
      }
      try {
        const own = typeof exportFunction === 'function' ? exportFunction(hold, locks) : hold
        await locks.request(name, { signal: limit.signal }, own)
      } catch {
        if (!running) return limit.signal.aborted ? { held: false } : fallback.run(waitMs, task)
      }
      return { held: true, value: await running! }
    },
  }
}
