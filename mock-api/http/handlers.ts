import { type HttpHandler, http } from 'msw'
import { type Catalogue, toIndexDocument, toRecord } from '../catalogue/catalogue.ts'
import type { Listing } from '../catalogue/listings.ts'
import { select } from '../query/select.ts'
import { LiveServiceError, selectLive } from '../query/select-live.ts'
import { FAULT_PARAMETER, type Fault, faultResponse, isFault } from './faults.ts'
import { errorResponse, jsonResponse, methodNotAllowed, notFound, optionsResponse } from './responses.ts'

/** `Cache-Control` of each endpoint. */
export const CACHE_CONTROL = {
  index: 'public, max-age=3600, s-maxage=21600',
  plugins: 'public, max-age=300, s-maxage=900',
}

export interface HandlerOptions {
  readonly catalogue: Catalogue
  /** Origin and path prefix of the API, without a trailing slash. @default every origin */
  readonly baseUrl?: string
  /** `live` reproduces the departures of the live service from the contract. @default the contract */
  readonly quirks?: 'live'
  /** True if records carry the verdict of their install check, which the contract does not promise. @default true */
  readonly recordVerdicts?: boolean
}

/** Returns handlers for the whole API and for the listings' pages. */
export function createHandlers(options: HandlerOptions): HttpHandler[] {
  const { catalogue, baseUrl, quirks, recordVerdicts = true } = options
  const live = quirks === 'live'

  const servedRecord = (listing: Listing, site: string) => {
    const record = toRecord(listing, site)
    const riskFlags = live ? [...record.riskFlags, ...listing.liveRiskFlags] : record.riskFlags
    if (recordVerdicts) return { ...record, riskFlags }
    const { installCheck, installCheckedAt, blockedBuilds, ...rest } = record
    return { ...rest, riskFlags }
  }

  const plugins = (request: Request, site: string) => {
    const parameters = new URL(request.url).searchParams
    const { total, page } = (live ? selectLive : select)(catalogue.listings, parameters)
    const results = page.map((listing) => servedRecord(listing, site))
    const cacheControl = CACHE_CONTROL.plugins
    return jsonResponse(request, { total, count: results.length, results }, { cacheControl, live })
  }

  const index = (request: Request, site: string) =>
    jsonResponse(request, toIndexDocument(catalogue, site), { cacheControl: CACHE_CONTROL.index, live })

  const endpoints = new Map([
    ['/api/v1/plugins', plugins],
    ['/api/v1/index', index],
  ])

  const api = http.all(
    ({ request }) => isApiRequest(request, baseUrl),
    ({ request }) => {
      if (request.method === 'OPTIONS') return optionsResponse({ live })
      const endpoint = endpoints.get(pathBelow(request, baseUrl)!)
      if (endpoint === undefined) return notFound(request)
      if (request.method !== 'GET' && request.method !== 'HEAD') return methodNotAllowed(request)
      try {
        return endpoint(request, catalogue.site ?? siteOf(request, baseUrl))
      } catch (error) {
        if (!(error instanceof LiveServiceError)) throw error
        return errorResponse(request, 500, 'Internal server error', {})
      }
    },
  )

  const findListing = (request: Request) => {
    const path = pathBelow(request, baseUrl)
    return path === null ? undefined : catalogue.listings.find((listing) => listing.path === path)
  }
  const pages = http.get(
    ({ request }) => findListing(request) !== undefined,
    ({ request }) => listingPage(findListing(request)!),
  )

  return [faultHandler(requestedFault, { baseUrl }), api, pages]
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

/** Returns the base address of the API that a request went to. */
function siteOf(request: Request, baseUrl?: string): string {
  return baseUrl ?? new URL(request.url).origin
}

/** Returns the path of a request below the base address, without its query; null when it is not below. */
function pathBelow(request: Request, baseUrl?: string): string | null {
  const site = siteOf(request, baseUrl)
  const [address] = request.url.split(/[?#]/, 1) as [string]
  return address.startsWith(`${site}/`) ? address.slice(site.length) : null
}

function isApiRequest(request: Request, baseUrl?: string): boolean {
  return pathBelow(request, baseUrl)?.startsWith('/api/v1/') ?? false
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => ENTITIES[character]!)

/** Returns the page behind the `url` of a record: plain HTML that names the listing. */
function listingPage({ record }: Listing): Response {
  const { fullName, summary, summaryZh, install, repoUrl } = record
  const text = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(fullName)}</title>
<h1>${escapeHtml(fullName)}</h1>
${summary === null ? '' : `<p>${escapeHtml(summary)}</p>`}
${summaryZh === null ? '' : `<p lang="zh">${escapeHtml(summaryZh)}</p>`}
<p>${install === null ? 'No command installs it.' : `<code>${escapeHtml(install)}</code>`}</p>
<p><a href="${escapeHtml(repoUrl)}">Source</a></p>
<p>A listing is not a security review.</p>
`
  return new Response(text, {
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': "default-src 'none'" },
  })
}
