import { type HttpHandler, http } from 'msw'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { indexOf, recordOf } from '../catalogue/catalogue.ts'
import type { Listing } from '../catalogue/listing.ts'
import { LiveServiceBreaks, selectLive } from '../query/live.ts'
import { type Selection, select } from '../query/select.ts'
import {
  CONTRACT_STYLE,
  type Document,
  documentOf,
  documentResponse,
  errorResponse,
  LIVE_STYLE,
  methodNotAllowed,
  notFound,
  PLAIN_CORS,
  preflight,
} from './answer.ts'
import { FAULT_PARAMETER, type Fault, faultResponse, isFault } from './faults.ts'
import { listingPage } from './listing-page.ts'

const CACHE_CONTROL = {
  index: 'public, max-age=3600, s-maxage=21600',
  plugins: 'public, max-age=300, s-maxage=900',
}

export interface HandlerOptions {
  readonly catalogue: Catalogue
  /** Origin and path prefix that is answered, without a trailing slash. @default every origin */
  readonly baseUrl?: string
  /** `live` reproduces what the live service does otherwise than the contract says. @default the contract */
  readonly quirks?: 'live'
  /** Whether records carry the verdict of their install check, which the contract does not promise. @default true */
  readonly recordVerdicts?: boolean
}

/** Where the API is served that a request asks for. */
const siteOf = (request: Request, baseUrl?: string) => baseUrl ?? new URL(request.url).origin

/** The path of a request below there, without its query; null when it asks for something beside. */
function pathOf(request: Request, baseUrl?: string): string | null {
  const site = siteOf(request, baseUrl)
  const [address] = request.url.split(/[?#]/, 1) as [string]
  return address.startsWith(`${site}/`) ? address.slice(site.length) : null
}

/**
 * Answers requests with a fault; put it before other handlers, or hand it to `server.use`.
 *
 * @param pick the fault for a request, or null to answer it properly
 */
export function faultHandler(
  pick: Fault | ((request: Request) => Fault | null),
  { baseUrl, once = false }: { baseUrl?: string | undefined; once?: boolean } = {},
): HttpHandler {
  return http.all(
    ({ request }) => pathOf(request, baseUrl)?.startsWith('/api/v1/') ?? false,
    async ({ request }) => {
      const fault = typeof pick === 'string' ? pick : pick(request)
      if (fault === null || request.method === 'OPTIONS') return undefined
      return faultResponse(fault, request)
    },
    { once },
  )
}

/** The fault that the query of a request asks for. */
export function requestedFault(request: Request): Fault | null {
  const fault = new URL(request.url).searchParams.get(FAULT_PARAMETER)
  return isFault(fault) ? fault : null
}

/** The handlers of the whole API and of the listings' pages, for every transport. */
export function createHandlers(options: HandlerOptions): HttpHandler[] {
  const { catalogue, baseUrl, quirks, recordVerdicts = true } = options
  const style = quirks === 'live' ? LIVE_STYLE : CONTRACT_STYLE
  const answerQuery = quirks === 'live' ? selectLive : select
  /** The index of the last site asked for: it is large, and nearly always the same. */
  let index: { site: string; document: Document } | undefined

  const servedRecord = (listing: Listing, site: string) => {
    const record = recordOf(listing, site)
    const riskFlags = quirks === 'live' ? [...record.riskFlags, ...listing.newRiskFlags] : record.riskFlags
    if (recordVerdicts) return { ...record, riskFlags }
    const { installCheck, installCheckedAt, blockedBuilds, ...rest } = record
    return { ...rest, riskFlags }
  }

  const endpoints: Record<string, (request: Request, site: string) => Response> = {
    '/api/v1/plugins'(request, site) {
      let selection: Selection
      try {
        selection = answerQuery(catalogue.listings, new URL(request.url).searchParams)
      } catch (error) {
        if (!(error instanceof LiveServiceBreaks)) throw error
        return errorResponse(request, 500, 'Internal server error', style.corsOnServerErrors ? PLAIN_CORS : {})
      }
      const results = selection.page.map((listing) => servedRecord(listing, site))
      const document = documentOf({ total: selection.total, count: results.length, results })
      return documentResponse(request, document, CACHE_CONTROL.plugins, style)
    },
    '/api/v1/index'(request, site) {
      if (index?.site !== site) index = { site, document: documentOf(indexOf(catalogue, site)) }
      return documentResponse(request, index.document, CACHE_CONTROL.index, style)
    },
  }

  const api = http.all(
    ({ request }) => pathOf(request, baseUrl)?.startsWith('/api/v1/') ?? false,
    ({ request }) => {
      if (request.method === 'OPTIONS') return preflight(style)
      const path = pathOf(request, baseUrl)!
      const endpoint = Object.hasOwn(endpoints, path) ? endpoints[path] : undefined
      if (endpoint === undefined) return notFound(request)
      if (request.method !== 'GET' && request.method !== 'HEAD') return methodNotAllowed(request)
      return endpoint(request, catalogue.site ?? siteOf(request, baseUrl))
    },
  )

  const pageAsked = (request: Request) => {
    const path = pathOf(request, baseUrl)
    return path === null ? undefined : catalogue.listings.find((listing) => listing.path === path)
  }
  const pages = http.get(
    ({ request }) => pageAsked(request) !== undefined,
    ({ request }) => listingPage(pageAsked(request)!),
  )

  return [faultHandler(requestedFault, { baseUrl }), api, pages]
}
