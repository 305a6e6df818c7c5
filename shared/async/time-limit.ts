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
