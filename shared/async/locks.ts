/** A lock that one task holds at a time. It is released when the task settles, or when its tab or process ends. */
export interface Lock {
  /**
   * Runs `task` while no other task, tab or process holds the lock.
   *
   * @param waitMs time limit of the wait for the lock
   * @returns the value that `task` resolved to, or `{held: false}` when the lock was not free in time
   */
  run<T>(waitMs: number, task: () => Promise<T>): Promise<{ held: true; value: T } | { held: false }>
}

/** Creates a lock within one tab or process, first come, first served. */
export function inProcessLock(): Lock {
  let last: Promise<void> = Promise.resolve()

  return {
    async run(waitMs, task) {
      const before = last
      let release = (): void => {}
      last = new Promise((resolve) => {
        release = resolve
      })
      if (!(await settlesWithin(waitMs, before))) {
        // When the turn of this place in the queue comes, pass it on.
        void before.then(release)
        return { held: false }
      }
      try {
        return { held: true, value: await task() }
      } finally {
        release()
      }
    },
  }
}

async function settlesWithin(ms: number, promise: Promise<void>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false)
  })
  try {
    return await Promise.race([promise.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}

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
      const runTask = () => {
        clearTimeout(timer)
        running = task()
        // Firefox cannot read a promise made in a sandbox and would release the lock at once. It can read a promise that
        // the page's own stream made.
        const held = new ReadableStream().getReader()
        Promise.allSettled([running]).then(() => held.cancel())
        return held.closed
      }
      try {
        const granted = typeof exportFunction === 'function' ? exportFunction(runTask, locks) : runTask
        await locks.request(name, { signal: limit.signal }, granted)
      } catch {
        clearTimeout(timer)
        if (!running) return limit.signal.aborted ? { held: false } : fallback.run(waitMs, task)
      }
      return { held: true, value: await running! }
    },
  }
}
