/** When a copy of the index was last known to be the newest, for a page that wants to know without the database. */
export interface Stamp {
  /**
   * ms since then; infinite for another copy than that, without a stamp, and when the clock was set back.
   *
   * @param generated of the copy that is meant
   */
  age(generated: string | null): number
  write(generated: string | null, ageMs: number | null): void
  clear(): void
}

/**
 * @param api address of the directory the copy is of
 * @param storage the page's own, which answers at once. It may throw, and so may the storage.
 */
export function createStamp(
  api: string,
  storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
  now: () => number = Date.now,
): Stamp {
  const key = `plugmark checked ${api}`
  return {
    age(generated) {
      try {
        const [of, at] = storage().getItem(key)?.split(' ') ?? []
        const age = of === generated ? now() - Number(at) : Number.NaN
        return age >= 0 ? age : Number.POSITIVE_INFINITY
      } catch {
        return Number.POSITIVE_INFINITY
      }
    },
    write(generated, ageMs) {
      if (generated === null || ageMs === null) return
      try {
        storage().setItem(key, `${generated} ${now() - ageMs}`)
      } catch {
        // Without it every page looks into the database.
      }
    },
    clear() {
      try {
        storage().removeItem(key)
      } catch {
        // What cannot be reached is not read either.
      }
    },
  }
}
