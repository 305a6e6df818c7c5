/** Longest time of work before other tasks get their turn, in ms. */
const CHUNK_MS = 8

/** Calls `each` with every item in order, and yields to other tasks often enough for a page to stay smooth. */
export async function chunked<T>(items: Iterable<T>, each: (item: T, position: number) => void): Promise<void> {
  let position = 0
  let end = performance.now() + CHUNK_MS
  for (const item of items) {
    if (performance.now() > end) {
      await yieldToMain()
      end = performance.now() + CHUNK_MS
    }
    each(item, position++)
  }
}

/** Exists in Node only. There the first message of a channel loads all of `fetch`, which takes longer than a search. */
const { setImmediate } = globalThis as { setImmediate?: (callback: () => void) => void }

/** Resolves in a new task. Uses a message, because browsers throttle the timers of a hidden tab to one a minute. */
export function yieldToMain(): Promise<void> {
  return new Promise((resolve) => {
    if (setImmediate) {
      setImmediate(resolve)
      return
    }
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => {
      port1.close()
      resolve()
    })
    port1.start()
    port2.postMessage(null)
  })
}

/** Calls `fire` after `ms`. Calling the returned function cancels that. */
export type Timer = (ms: number, fire: () => void) => () => void

export const systemTimer: Timer = (ms, fire) => {
  const id = setTimeout(fire, ms)
  return () => clearTimeout(id)
}

export const delay = (timer: Timer, ms: number): Promise<void> => new Promise((resolve) => void timer(ms, resolve))

/**
 * Settles as `promise` does, or rejects when it has not settled after `ms`.
 *
 * @param name subject of the error's message: "Reading the stored index"
 */
export function withTimeLimit<T>(timer: Timer, ms: number, name: string, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = timer(ms, () => {
      reject(Object.assign(new Error(`${name} took longer than ${ms / 1000} s.`), { name: 'TimeoutError' }))
    })
    promise.then(resolve, reject).finally(cancel)
  })
}

/** Waits for `work`, but no longer than `ms`, and keeps no timer after it. Rejects as `work` does. */
export function atMost(timer: Timer, ms: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = timer(ms, resolve)
    work
      .finally(cancel)
      .then(() => resolve())
      .catch(reject)
  })
}

/**
 * Orders answers that are read side by side, so that an older one never replaces a newer one. Call the result before
 * reading. What that returns tells, when the answer has come, whether it counts: none that was begun later has.
 */
export function createTurns(): () => () => boolean {
  let begun = 0
  let last = 0
  return () => {
    const turn = ++begun
    return () => {
      if (turn >= last) last = turn
      return turn === last
    }
  }
}

/**
 * Settles as `work` does, or rejects with the reason once `signal` is aborted, or when it was before. The work continues:
 * it must end by itself and change nothing.
 */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  // Nobody waits for it any more.
  work.catch(() => {})
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const end = () => reject(signal.reason)
  signal.addEventListener('abort', end)
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', end))
}
