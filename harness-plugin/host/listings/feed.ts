/** A page that is this far behind starts over rather than skip what was handed out twice. */
const MOST_HOLES = 4

/**
 * The order in which rows are handed out. A listing that changed gets a place at the end and leaves a hole behind, so
 * a page that asks from where it stopped misses nothing.
 */
export interface Feed {
  /** Changes when places no longer hold. */
  readonly revision: number
  /** Place after the last. */
  readonly end: number
  readonly count: number
  has(key: string): boolean
  keys(): Iterable<string>
  /** Gives the listing a place at the end. */
  push(key: string): void
  /** Places from the start again, in this order. */
  restart(keys: Iterable<string>): void
  /** @returns at most `limit` keys, and the place after the last of them */
  from(place: number, limit: number): { readonly keys: readonly string[]; readonly next: number }
}

export function createFeed(): Feed {
  let revision = 0
  let places: (string | null)[] = []
  const placeOf = new Map<string, number>()

  function push(key: string): void {
    const before = placeOf.get(key)
    if (before !== undefined) places[before] = null
    placeOf.set(key, places.length)
    places.push(key)
  }
  function restart(keys: Iterable<string>): void {
    const ordered = [...keys]
    revision++
    places = []
    placeOf.clear()
    for (const key of ordered) push(key)
  }

  return {
    get revision() {
      return revision
    },
    get end() {
      return places.length
    },
    get count() {
      return placeOf.size
    },
    has: (key) => placeOf.has(key),
    keys: () => placeOf.keys(),
    push(key) {
      push(key)
      if (places.length > 1000 + MOST_HOLES * placeOf.size) restart(places.filter((kept) => kept !== null))
    },
    restart,
    from(place, limit) {
      const keys: string[] = []
      let next = Math.min(place, places.length)
      for (; next < places.length && keys.length < limit; next++) {
        const key = places[next]
        if (key != null) keys.push(key)
      }
      return { keys, next }
    },
  }
}
