import { LIMITS, PAGE_SIZE } from '@plugmark/shared/contract'
import { type HttpHandler, http } from 'msw'
import { type ApiOptions, createApi, isApiRequest, type Selection } from '../api/api.ts'
import { errorResponse } from '../api/responses.ts'
import { type Listing, toRecord } from '../catalogue/catalogue.ts'
import type { MockListing } from '../invented/invented.ts'
import { FAULT_PARAMETER, type Fault, faultResponse, isFault } from './faults.ts'

export interface MockApiOptions extends Pick<ApiOptions, 'catalogue' | 'baseUrl'> {
  /** `live` reproduces the departures of the live service from the contract. @default the contract */
  readonly quirks?: 'live'
  /** True if records carry the verdict of their install check, which the contract does not promise. @default true */
  readonly recordVerdicts?: boolean
}

/** Returns the API of a directory, with the quirks of the live service if they are wanted. */
function createMockApi(options: MockApiOptions): (request: Request) => Response | null {
  const { catalogue, baseUrl, quirks, recordVerdicts = true } = options
  const live = quirks === 'live'
  const respond = createApi({
    catalogue,
    baseUrl,
    ...(live && { select: selectLive }),
    toRecord(listing, site) {
      const { installCheck, installCheckedAt, blockedBuilds, ...rest } = toRecord(listing, site)
      const riskFlags = live ? [...rest.riskFlags, ...liveRiskFlags(listing)] : rest.riskFlags
      return { ...rest, ...(recordVerdicts && { installCheck, installCheckedAt, blockedBuilds }), riskFlags }
    },
  })
  if (!live) return respond
  return (request) => {
    try {
      const response = respond(request)
      // Scripts of other origins can neither read the ETag of the live service, nor send `If-None-Match`.
      for (const part of ['expose', 'allow']) response?.headers.delete(`access-control-${part}-headers`)
      return response
    } catch (error) {
      if (!(error instanceof LiveServiceError)) throw error
      return errorResponse(request, 500, 'Internal server error', {})
    }
  }
}

const liveRiskFlags = (listing: Listing): readonly string[] => (listing as Partial<MockListing>).liveRiskFlags ?? []

/** Thrown for a query to which the live service responds with 500. */
export class LiveServiceError extends Error {}

const [small, medium, large] = LIMITS.safePageSizes

/**
 * Evaluates a query as the live service did in 2026-08. `q` is a pattern of SQLite's LIKE and searches other fields;
 * `installCheck` is ignored; the page size snaps to 24, 48 or 96 and the page is then cut to `limit`; numbers are
 * parsed as JavaScript's `Number` does.
 *
 * The live service leaves the order of equal stars to its database, so a row at the edge of a page may come twice and
 * another one never. Here the order of equals is reversed on every other page.
 *
 * Source: app/api/v1/plugins/route.ts and lib/data.ts of the directory's public repository.
 *
 * @throws LiveServiceError when the live service responds with 500: its database takes no fraction as an offset
 */
export function selectLive(listings: readonly Listing[], parameters: URLSearchParams): Selection {
  const limit = Math.min(Number(parameters.get('limit')) || PAGE_SIZE.default, PAGE_SIZE.max)
  const page = Math.max(1, Number(parameters.get('page')) || 1)
  const size = limit <= small ? small : limit <= medium ? medium : large
  const offset = (page - 1) * size
  if (!Number.isInteger(offset) || offset >= 2 ** 63) throw new LiveServiceError(`an offset of ${offset} rows`)
  const matching = listings.filter(liveMatcher(parameters))
  const unordered = Math.floor(page) % 2 === 1 ? matching.toReversed() : matching
  const ordered = unordered.toSorted((a, b) => b.record.stars - a.record.stars)
  // A negative limit cuts rows off the end: wrong rows without an error, as on the live service.
  return { total: matching.length, page: ordered.slice(offset, offset + size).slice(0, limit) }
}

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
 * Returns a predicate for strings that contain a pattern of SQLite's LIKE: `%` is any string, `_` any one character, and
 * only the case of ASCII letters is ignored: the flag `i` would fold others too.
 */
function likeMatcher(pattern: string): (text: string) => boolean {
  const source = pattern
    .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    .replace(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`)
    .replaceAll('_', '.')
    .replace(/%+/g, '.*')
  const expression = new RegExp(source, 'su')
  return (text) => expression.test(text)
}

// The API for MSW

/** Returns handlers for the whole API and for the listings' pages. A query can ask for a fault. */
export function createHandlers(options: MockApiOptions): HttpHandler[] {
  const respond = createMockApi(options)
  return [faultHandler(requestedFault, options), http.all('*', ({ request }) => respond(request) ?? undefined)]
}

/**
 * Returns a handler that responds to requests of the API with a fault. Put it before other handlers, or pass it to
 * `server.use`.
 *
 * @param pick the fault, or a function that returns one for a request, and null to pass the request on
 */
export function faultHandler(
  pick: Fault | ((request: Request) => Fault | null),
  { baseUrl, once = false }: { baseUrl?: string | undefined; once?: boolean } = {},
): HttpHandler {
  return http.all(
    ({ request }) => isApiRequest(request, baseUrl),
    async ({ request }) => {
      const fault = typeof pick === 'string' ? pick : pick(request)
      if (fault === null || request.method === 'OPTIONS') return undefined
      return faultResponse(fault, request)
    },
    { once },
  )
}

function requestedFault(request: Request): Fault | null {
  const fault = new URL(request.url).searchParams.get(FAULT_PARAMETER)
  return isFault(fault) ? fault : null
}
