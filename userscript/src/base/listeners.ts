import { report } from './report.ts'

/** Listeners for one event. If one throws, the others still run. */
export interface Listeners<A extends readonly unknown[]> {
  /** @param signal removes the listener */
  add(listener: (...args: A) => void, signal?: AbortSignal): void
  call(...args: A): void
}

export function createListeners<A extends readonly unknown[] = []>(): Listeners<A> {
  const listeners = new Set<(...args: A) => void>()
  return {
    add(listener, signal) {
      if (signal?.aborted) return
      listeners.add(listener)
      signal?.addEventListener('abort', () => listeners.delete(listener))
    },
    call(...args) {
      for (const listener of [...listeners]) {
        // A listener may end the page to which another one belongs.
        if (!listeners.has(listener)) continue
        try {
          listener(...args)
        } catch (error) {
          report('listener', error)
        }
      }
    },
  }
}
