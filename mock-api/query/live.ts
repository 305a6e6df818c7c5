import { LIMITS, PAGE_SIZE } from '@plugmark/shared/contract'
import type { Listing } from '../catalogue/listing.ts'
import { likeMatcher } from './like.ts'
import type { Selection } from './select.ts'

/** The live service breaks on some values; the transport answers 500 then. */
export class LiveServiceBreaks extends Error {}

const [small, medium, large] = LIMITS.safePageSizes

function liveMatcher(parameters: URLSearchParams): (listing: Listing) => boolean {
  const matches = likeMatcher(parameters.get('q')?.trim() ?? '')
  const category = parameters.get('category') || null
  return ({ record }) =>
    (category === null || record.category === category) &&
    [record.fullName, record.name, record.summary, record.summaryZh, record.npmPackage].some(
      (text) => text != null && matches(text),
    )
}

/**
 * Answers a query as the live service did in 2026-08. `q` searches other texts than here, as a database's LIKE does;
 * `installCheck` is ignored; the page size snaps to 24, 48 or 96 and the page is then cut to `limit`; numbers are read
 * as loosely as JavaScript reads them.
 *
 * Equals come in another order from one page to the next, so that a row at the edge of a page comes twice and another
 * never: there it is left to the database, here the order turns round on every other page.
 *
 * Source: app/api/v1/plugins/route.ts and lib/data.ts of the directory's public repository.
 *
 * @throws LiveServiceBreaks where it answers 500: the database takes no fraction for the rows to pass over
 */
export function selectLive(listings: readonly Listing[], parameters: URLSearchParams): Selection {
  const limit = Math.min(Number(parameters.get('limit')) || PAGE_SIZE.default, PAGE_SIZE.max)
  const page = Math.max(1, Number(parameters.get('page')) || 1)
  const size = limit <= small ? small : limit <= medium ? medium : large
  const offset = (page - 1) * size
  if (!Number.isInteger(offset) || offset >= 2 ** 63) throw new LiveServiceBreaks(`${offset} rows to pass over`)
  const matching = listings.filter(liveMatcher(parameters))
  const unordered = Math.floor(page) % 2 === 1 ? matching.toReversed() : matching
  const ordered = unordered.toSorted((a, b) => b.record.stars - a.record.stars)
  // A negative limit cuts from the end: wrong rows, without an error.
  return { total: matching.length, page: ordered.slice(offset, offset + size).slice(0, limit) }
}
