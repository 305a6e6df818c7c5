/** Calls `fire` after `ms`, unless the returned function was called before. */
export type Timer = (ms: number, fire: () => void) => () => void

export const systemTimer: Timer = (ms, fire) => {
  const id = setTimeout(fire, ms)
  return () => clearTimeout(id)
}

/** Resolves after `ms`. */
export const passed = (timer: Timer, ms: number): Promise<void> => new Promise((resolve) => void timer(ms, resolve))

/** `promise`, or a rejection when it has not settled after `ms`. */
export function withTimeLimit<T>(timer: Timer, ms: number, what: string, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = timer(ms, () => reject(new Error(`${what} took longer than ${ms / 1000} s.`)))
    promise.then(resolve, reject).finally(cancel)
  })
}
