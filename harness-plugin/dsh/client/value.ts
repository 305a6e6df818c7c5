import { useSyncExternalStore } from 'react'

/** A value that changes, as React follows it. */
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

/** The value as it is now; the component follows it. */
export const useValue = <T>({ subscribe, getSnapshot }: Value<T>): T => useSyncExternalStore(subscribe, getSnapshot)
