import type { CatalogueLock } from '../types.ts'
import { inProcessLock } from './in-process.ts'

/** Shared by every web lock of this tab that has to do without the browser's. */
const fallback = inProcessLock()

/**
 * A lock over all tabs and workers of an origin, by the Web Locks API. Where there is none (a page that is not a
 * secure context) or it is denied (blocked site data), a lock over this tab.
 *
 * @param name the same for everyone who shares the storage
 */
export function webLock(
  name = 'plugmark-catalogue',
  locks: LockManager | undefined = globalThis.navigator?.locks,
): CatalogueLock {
  if (locks === undefined) return fallback

  return {
    async run(waitMs, task) {
      let granted = false
      const wait = new AbortController()
      const timer = setTimeout(() => wait.abort(), waitMs)
      try {
        const value = await locks.request(name, { signal: wait.signal }, () => {
          granted = true
          clearTimeout(timer)
          return task(true)
        })
        return { held: true, value }
      } catch (cause) {
        if (granted) throw cause
        if (wait.signal.aborted) return { held: false }
        return fallback.run(waitMs, task)
      } finally {
        clearTimeout(timer)
      }
    },
  }
}
