import { LIMITS, PAGE_SIZE } from '@plugmark/shared/contract'
import type { Listing } from '../catalogue/listing.ts'
import { fold } from './fold.ts'
import type { Selection } from './select.ts'
import { wildcardMatcher } from './wildcard.ts'

/** The live service breaks on some values; the transport answers 500 then. */
export class LiveServiceBreaks extends Error {}

const [small, medium, large] = LIMITS.safePageSizes

/** A number as the live service reads it: text gives nothing, a fraction breaks its query. */
function liveNumber(text: string | null): number | null {
  if (text === null || text.trim() === '' || Number.isNaN(Number(text))) return null
  if (!Number.isSafeInteger(Number(text))) throw new LiveServiceBreaks(`${text} is no whole number`)
  return Number(text)
}

function liveMatcher(parameters: URLSearchParams): (listing: Listing) => boolean {
  const matches = wildcardMatcher(fold(parameters.get('q')?.trim() ?? ''))
  const category = parameters.get('category') || null
  return (listing) => (category === null || listing.record.category === category) && listing.searched.some(matches)
}

/**
 * Answers a query as the live service did in 2026-08: `installCheck` is ignored; the page size snaps to 24, 48 or 96
 * and the page is then cut to `limit`; equals come in another order than here; some numbers give wrong rows or break.
 *
 * @throws LiveServiceBreaks where it answered 500
 */
export function selectLive(listings: readonly Listing[], parameters: URLSearchParams): Selection {
  const limit = liveNumber(parameters.get('limit')) || PAGE_SIZE.default
  const page = liveNumber(parameters.get('page')) ?? 1
  if (page < 0) throw new LiveServiceBreaks('a negative offset')
  const size = limit <= small ? small : limit <= medium ? medium : large
  const offset = (Math.max(page, 1) - 1) * size
  const matching = listings
    .filter(liveMatcher(parameters))
    .reverse()
    .sort((a, b) => b.stars - a.stars)
  // A negative limit cuts from the end: wrong rows, without an error.
  return { total: matching.length, page: matching.slice(offset, offset + size).slice(0, limit) }
}
