import { useSyncExternalStore } from 'react'

/** A changing value that React can subscribe to. */
export interface Value<T> {
  readonly getSnapshot: () => T
  /** @returns a function that ends the subscription */
  readonly subscribe: (listener: () => void) => () => void
}

export function createValue<T>(initial: T): Value<T> & { set(value: T): void } {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    getSnapshot: () => value,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    set(next) {
      value = next
      for (const listener of listeners) listener()
    },
  }
}

/** Returns the current value and subscribes the component to it. */
export const useValue = <T>({ subscribe, getSnapshot }: Value<T>): T => useSyncExternalStore(subscribe, getSnapshot)
