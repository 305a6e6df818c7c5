import { isVerdict, PAGE_SIZE } from '@plugmark/shared/contract'
import { foldCase, type Listing } from './listings.ts'

/** One page of a query. */
export interface Selection {
  /** Listings that match, over all pages. */
  readonly total: number
  readonly page: readonly Listing[]
}

/** Evaluates a query as the contract defines it. Where the contract leaves something open, openapi.yaml decides. */
export function select(listings: readonly Listing[], parameters: URLSearchParams): Selection {
  const limit = Math.min(positiveInteger(parameters.get('limit')) ?? PAGE_SIZE.default, PAGE_SIZE.max)
  const page = positiveInteger(parameters.get('page')) ?? 1
  const matching = listings.filter(matcher(parameters))
  return { total: matching.length, page: matching.slice((page - 1) * limit, page * limit) }
}

/** Returns a predicate for the parameters that narrow the result. The first of a repeated parameter counts. */
function matcher(parameters: URLSearchParams): (listing: Listing) => boolean {
  const needle = foldCase(parameters.get('q')?.trim() ?? '')
  const category = parameters.get('category') || null
  const verdict = parameters.get('installCheck')
  const wanted = isVerdict(verdict) ? verdict : null
  return (listing) =>
    (category === null || listing.record.category === category) &&
    (wanted === null || listing.verdict === wanted) &&
    (needle === '' || listing.searchTexts.some((text) => text.includes(needle)))
}

/** Returns a whole number of at least 1; null for anything else: absent, text, zero, negative and fractional alike. */
function positiveInteger(text: string | null): number | null {
  return text !== null && /^\d+$/.test(text) && Number(text) >= 1 ? Number(text) : null
}
