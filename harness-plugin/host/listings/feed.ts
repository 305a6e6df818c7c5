import { createColumn } from './records/column.ts'

/** A page that is this far behind starts over rather than skip what was handed out twice. */
const MOST_HOLES = 4
const HOLE = -1

/**
 * The order in which listings, by their numbers, are handed out. One that changed gets a place at the end and leaves a
 * hole behind, so a page that asks from where it stopped misses nothing.
 */
export interface Feed {
  /** Changes when places no longer hold. */
  readonly revision: number
  /** Place after the last. */
  readonly end: number
  readonly count: number
  has(listing: number): boolean
  /** In the order of their places. */
  listings(): Iterable<number>
  /** Gives the listing a place at the end. */
  push(listing: number): void
  /** Places from the start again, in this order. */
  restart(listings: Iterable<number>): void
  /** @returns at most `limit` listings, and the place after the last of them */
  from(place: number, limit: number): { readonly listings: readonly number[]; readonly next: number }
}

export function createFeed(): Feed {
  const listings = createColumn()
  /** One more than the place of a listing, 0 for none. */
  const places = createColumn()
  let revision = 0
  let end = 0
  let count = 0

  function push(listing: number): void {
    const before = places.at(listing)
    if (before > 0) listings.set(before - 1, HOLE)
    else count++
    listings.set(end++, listing)
    places.set(listing, end)
  }
  function* all() {
    for (let place = 0; place < end; place++) if (listings.at(place) !== HOLE) yield listings.at(place)
  }
  function restart(ordered: Iterable<number>): void {
    const kept = [...ordered]
    for (const listing of all()) places.set(listing, 0)
    revision++
    end = 0
    count = 0
    for (const listing of kept) push(listing)
  }

  return {
    get revision() {
      return revision
    },
    get end() {
      return end
    },
    get count() {
      return count
    },
    has: (listing) => places.at(listing) > 0,
    listings: all,
    push(listing) {
      push(listing)
      if (end > 1000 + MOST_HOLES * count) restart(all())
    },
    restart,
    from(place, limit) {
      const found: number[] = []
      let next = Math.min(place, end)
      for (; next < end && found.length < limit; next++) {
        if (listings.at(next) !== HOLE) found.push(listings.at(next))
      }
      return { listings: found, next }
    },
  }
}
