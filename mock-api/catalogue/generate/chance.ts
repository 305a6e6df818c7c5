/** Draws from one seeded sequence. */
export interface Chance {
  /** From 0 up to but not 1. */
  next(): number
  /** A whole number from 0 up to but not `limit`. */
  below(limit: number): number
  /** True with this probability. */
  one(probability: number): boolean
  pick<T>(items: readonly T[]): T
}

/** A sequence that depends on the seed alone (mulberry32). */
export function chance(seed: number): Chance {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    next,
    below,
    one: (probability) => next() < probability,
    pick: (items) => items[below(items.length)]!,
  }
}
