import { LiveServiceError, selectLive } from '../mock/select-live.ts'
import { type Catalogue, toIndexDocument, toRecord } from './catalogue.ts'
import type { Listing } from './listings.ts'
import { errorResponse, jsonResponse, methodNotAllowed, notFound, optionsResponse } from './responses.ts'
import { select } from './select.ts'

/** `Cache-Control` of each endpoint. */
export const CACHE_CONTROL = {
  index: 'public, max-age=3600, s-maxage=21600',
  plugins: 'public, max-age=300, s-maxage=900',
}

export interface ApiOptions {
  readonly catalogue: Catalogue
  /** Origin and path prefix of the API, without a trailing slash. @default every origin */
  readonly baseUrl?: string
  /** `live` reproduces the departures of the live service from the contract. @default the contract */
  readonly quirks?: 'live'
  /** True if records carry the verdict of their install check, which the contract does not promise. @default true */
  readonly recordVerdicts?: boolean
}

/**
 * Returns the API as a function: the response to a request of the API or of a listing's page, and null for any other
 * request. MSW wraps it for tests; a worker of an edge runtime calls it.
 */
export function createApi(options: ApiOptions): (request: Request) => Response | null {
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

  return (request) => {
    const path = pathBelow(request, baseUrl)
    if (path === null) return null
    if (!path.startsWith(API_PATH)) {
      const listing = catalogue.listings.find((one) => one.path === path)
      return listing === undefined || request.method !== 'GET' ? null : listingPage(listing)
    }
    if (request.method === 'OPTIONS') return optionsResponse({ live })
    const endpoint = endpoints.get(path)
    if (endpoint === undefined) return notFound(request)
    if (request.method !== 'GET' && request.method !== 'HEAD') return methodNotAllowed(request)
    try {
      return endpoint(request, catalogue.site ?? siteOf(request, baseUrl))
    } catch (error) {
      if (!(error instanceof LiveServiceError)) throw error
      return errorResponse(request, 500, 'Internal server error', {})
    }
  }
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

const API_PATH = '/api/v1/'

/** Returns true if the request is below the API's path, whether there is an endpoint or not. */
export function isApiRequest(request: Request, baseUrl?: string): boolean {
  return pathBelow(request, baseUrl)?.startsWith(API_PATH) ?? false
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
