import { repositoryKey } from '@plugmark/shared/contract'
import type { Entry } from './entry.ts'
import type { Sort } from './facets.ts'

const byName = (a: Entry, b: Entry) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
const newest = (a: string | null, b: string | null) => byText(b ?? '', a ?? '')

/** Every order has its words in `messages/en/finding.ts`. Unknown values come last. */
const ORDERS: Readonly<Record<Exclude<Sort, 'stars'>, (a: Entry, b: Entry) => number>> = {
  name: (a, b) => byName(a, b) || byText(a.listing.id, b.listing.id),
  pushed: (a, b) => newest(a.listing.pushedAt, b.listing.pushedAt) || byName(a, b),
  checked: (a, b) => newest(a.listing.checkedAt, b.listing.checkedAt) || byName(a, b),
}

export const SORTS: readonly Sort[] = ['stars', 'pushed', 'checked', 'name']

export const ordered = (entries: readonly Entry[], sort: Sort): Entry[] =>
  sort === 'stars' ? orderedByStars(entries) : entries.toSorted(ORDERS[sort])

/**
 * Orders by stars. Parts of one repository share its stars and would fill the top, so the second counts half of them,
 * the third a third, and so on. A plugin that is the whole repository comes before its parts.
 */
function orderedByStars(entries: readonly Entry[]): Entry[] {
  const isPart = ({ listing }: Entry) => listing.id.includes('#')
  const places = new Map<string, number>()
  const share = new Map<Entry, number>()
  for (const entry of entries.filter((entry) => !isPart(entry))) {
    places.set(repositoryKey(entry.listing.id), 1)
    share.set(entry, entry.listing.stars ?? -1)
  }
  for (const entry of entries.filter(isPart).toSorted(byName)) {
    const key = repositoryKey(entry.listing.id)
    const place = (places.get(key) ?? 0) + 1
    places.set(key, place)
    share.set(entry, entry.listing.stars === null ? -1 : entry.listing.stars / place)
  }
  return entries.toSorted((a, b) => share.get(b)! - share.get(a)! || byName(a, b))
}
