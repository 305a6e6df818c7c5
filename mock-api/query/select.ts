import { isVerdict, PAGE_SIZE } from '@plugmark/shared/contract'
import type { Listing } from '../catalogue/listing.ts'
import { fold } from './fold.ts'

/** One page of a query. */
export interface Selection {
  /** Listings that match, over all pages. */
  readonly total: number
  readonly page: readonly Listing[]
}

/** A parameter that is a whole number of at least 1, else null: absent, text, zero, negative and fractional alike. */
function positiveInteger(text: string | null): number | null {
  return text !== null && /^\d+$/.test(text) && Number(text) >= 1 ? Number(text) : null
}

/** Predicates for the parameters that narrow the result. A repeated parameter counts once, the first time. */
function matcher(parameters: URLSearchParams): (listing: Listing) => boolean {
  const needle = fold(parameters.get('q')?.trim() ?? '')
  const category = parameters.get('category') || null
  const verdict = parameters.get('installCheck')
  const wanted = isVerdict(verdict) ? verdict : null
  return (listing) =>
    (category === null || listing.record.category === category) &&
    (wanted === null || listing.verdict === wanted) &&
    (needle === '' || listing.searched.some((text) => text.includes(needle)))
}

/** Answers a query as the contract has it; what it leaves open is decided in openapi.yaml. */
export function select(listings: readonly Listing[], parameters: URLSearchParams): Selection {
  const { max, default: usual } = PAGE_SIZE
  const limit = Math.min(positiveInteger(parameters.get('limit')) ?? usual, max)
  const page = positiveInteger(parameters.get('page')) ?? 1
  const matching = listings.filter(matcher(parameters))
  return { total: matching.length, page: matching.slice((page - 1) * limit, page * limit) }
}
