import { type HttpHandler, http } from 'msw'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { indexOf, recordOf } from '../catalogue/catalogue.ts'
import { LiveServiceBreaks, selectLive } from '../query/live.ts'
import { select } from '../query/select.ts'
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

/**
 * Answers requests with a fault; put it before other handlers, or hand it to `server.use`.
 *
 * @param pick the fault for a request, or null to answer it properly
 */
export function faultHandler(
  pick: Fault | ((request: Request) => Fault | null),
  { baseUrl = '*', once = false }: { baseUrl?: string; once?: boolean } = {},
): HttpHandler {
  return http.all(
    `${baseUrl}/api/v1/*`,
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

/** Where the API is served, taken from the address of a request to it. */
function siteOf(request: Request): string {
  return request.url.slice(0, request.url.indexOf('/api/v1/'))
}

/** The handlers of the whole API, for every transport. */
export function createHandlers(options: HandlerOptions): HttpHandler[] {
  const { catalogue, baseUrl = '*', quirks, recordVerdicts = true } = options
  const style = quirks === 'live' ? LIVE_STYLE : CONTRACT_STYLE
  const answerQuery = quirks === 'live' ? selectLive : select
  /** The index of the last site asked for: it is large, and nearly always the same. */
  let index: { site: string; document: Document } | undefined

  const endpoint = (path: string, answer: (request: Request) => Response) =>
    http.all(`${baseUrl}/api/v1/${path}`, ({ request }) => {
      if (request.method === 'OPTIONS') return preflight(style)
      if (request.method !== 'GET' && request.method !== 'HEAD') return methodNotAllowed(request)
      return answer(request)
    })

  const plugins = (request: Request) => {
    const site = catalogue.site ?? siteOf(request)
    const { total, page } = answerQuery(catalogue.listings, new URL(request.url).searchParams)
    const results = page.map((listing) => {
      const { riskFlags, ...others } = recordOf(listing, site)
      const record = { ...others, riskFlags: quirks === 'live' ? [...riskFlags, ...listing.newRiskFlags] : riskFlags }
      if (recordVerdicts) return record
      const { installCheck, installCheckedAt, blockedBuilds, ...rest } = record
      return rest
    })
    const document = documentOf({ total, count: results.length, results })
    return documentResponse(request, document, CACHE_CONTROL.plugins, style)
  }

  return [
    faultHandler(requestedFault, { baseUrl }),
    endpoint('plugins', (request) => {
      try {
        return plugins(request)
      } catch (error) {
        if (!(error instanceof LiveServiceBreaks)) throw error
        return errorResponse(request, 500, 'Internal server error', style.corsOnServerErrors ? PLAIN_CORS : {})
      }
    }),
    endpoint('index', (request) => {
      const site = catalogue.site ?? siteOf(request)
      if (index?.site !== site) index = { site, document: documentOf(indexOf(catalogue, site)) }
      return documentResponse(request, index.document, CACHE_CONTROL.index, style)
    }),
    http.all(`${baseUrl}/api/v1/*`, ({ request }) =>
      request.method === 'OPTIONS' ? preflight(style) : notFound(request),
    ),
  ]
}
