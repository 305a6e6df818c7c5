import type { Entry } from './entry.ts'
import type { Sort } from './facets.ts'

const byName = (a: Entry, b: Entry) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Every order has its words in `messages/en/finding.ts`. What is not known comes last. */
const ORDERS: Readonly<Record<Sort, (a: Entry, b: Entry) => number>> = {
  stars: (a, b) => (b.listing.stars ?? -1) - (a.listing.stars ?? -1) || byName(a, b),
  name: (a, b) => byName(a, b) || byText(a.listing.id, b.listing.id),
  checked: (a, b) => byText(b.listing.checkedAt ?? '', a.listing.checkedAt ?? '') || byName(a, b),
}

export const SORTS = Object.keys(ORDERS) as readonly Sort[]

export const ordered = (entries: readonly Entry[], sort: Sort): Entry[] => entries.toSorted(ORDERS[sort])
