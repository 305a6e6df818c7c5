import { isVerdict, PAGE_SIZE } from '@plugmark/shared/contract'
import { type Catalogue, foldCase, type Listing, toIndexDocument, toRecord } from '../catalogue/catalogue.ts'
import { badgePath, badgeSvg } from './badge.ts'
import {
  escapeMarkup,
  type JsonDocument,
  jsonDocument,
  jsonResponse,
  Kept,
  methodNotAllowed,
  notFound,
  optionsResponse,
} from './responses.ts'

/** `Cache-Control` of each endpoint. */
export const CACHE_CONTROL = {
  index: 'public, max-age=3600, s-maxage=21600',
  plugins: 'public, max-age=300, s-maxage=900',
}

/** Opened as a page of its own, an SVG must not run anything. */
const SVG_HEADERS = {
  'content-type': 'image/svg+xml; charset=utf-8',
  'content-security-policy': "default-src 'none'; sandbox",
}

/** Answers that are kept as text, in characters. */
const KEPT_CHARACTERS = 32_000_000

export interface ApiOptions {
  readonly catalogue: Catalogue
  /** Origin and path prefix of the API, without a trailing slash. @default every origin */
  readonly baseUrl?: string | undefined
  /** Evaluates a query. @default select */
  readonly select?: typeof select
  /** Returns a record as it is served. @default toRecord */
  readonly toRecord?: (listing: Listing, site: string) => object
}

/**
 * Returns the API as a function: the response to a request of the API or of a listing's page, and null for any other
 * request. Runs in Node, and in a worker of an edge runtime.
 */
export function createApi(options: ApiOptions): (request: Request) => Response | null {
  const { catalogue, baseUrl } = options
  const listingAt = new Map(catalogue.listings.map((listing) => [listing.path, listing]))
  const badgeOf = new Map(catalogue.listings.map((listing) => [badgePath(listing), listing]))

  const plugins = (request: Request, site: string) => {
    const parameters = new URL(request.url).searchParams
    const { total, page } = (options.select ?? select)(catalogue.listings, parameters)
    const results = page.map((listing) => (options.toRecord ?? toRecord)(listing, site))
    return { total, count: results.length, results }
  }
  const index = (_: Request, site: string) => toIndexDocument(catalogue, site)
  const endpoints = new Map([
    ['/api/v1/plugins', { answer: plugins, cacheControl: CACHE_CONTROL.plugins }],
    ['/api/v1/index', { answer: index, cacheControl: CACHE_CONTROL.index }],
  ])
  /** The catalogue never changes, so neither does the answer to an address. */
  const kept = new Kept<JsonDocument>(KEPT_CHARACTERS)

  return (request) => {
    const path = pathBelow(request, baseUrl)
    if (path === null) return null
    if (!path.startsWith(API_PATH)) {
      const listing = listingAt.get(path)
      const badged = badgeOf.get(path)
      if (listing === undefined && badged === undefined) return null
      if (request.method === 'OPTIONS') return optionsResponse()
      if (request.method !== 'GET' && request.method !== 'HEAD') return methodNotAllowed(request)
      return listing === undefined ? badge(badged!) : listingPage(listing)
    }
    if (request.method === 'OPTIONS') return optionsResponse()
    const endpoint = endpoints.get(path)
    if (endpoint === undefined) return notFound(request)
    if (request.method !== 'GET' && request.method !== 'HEAD') return methodNotAllowed(request)
    const site = catalogue.site ?? addressOf(request, baseUrl)
    const answer = () => {
      const document = jsonDocument(endpoint.answer(request, site))
      return kept.set(request.url, document, document.text.length)
    }
    return jsonResponse(request, kept.get(request.url) ?? answer(), endpoint.cacheControl)
  }
}

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

/** Returns the base address of the API that a request went to. */
function addressOf(request: Request, baseUrl?: string): string {
  return baseUrl ?? new URL(request.url).origin
}

/** Returns the path of a request below the base address, without its query; null when it is not below. */
function pathBelow(request: Request, baseUrl?: string): string | null {
  const site = addressOf(request, baseUrl)
  const [address] = request.url.split(/[?#]/, 1) as [string]
  return address.startsWith(`${site}/`) ? address.slice(site.length) : null
}

const API_PATH = '/api/v1/'

/** Returns true if the request is below the API's path, whether there is an endpoint or not. */
export function isApiRequest(request: Request, baseUrl?: string): boolean {
  return pathBelow(request, baseUrl)?.startsWith(API_PATH) ?? false
}

function badge(listing: Listing): Response {
  const headers = { ...SVG_HEADERS, 'cache-control': CACHE_CONTROL.plugins }
  return new Response(badgeSvg(listing), { headers })
}

/** Returns the page behind the `url` of a record: plain HTML that names the listing. */
function listingPage({ record }: Listing): Response {
  const { fullName, summary, summaryZh, install, repoUrl } = record
  const text = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeMarkup(fullName)}</title>
<main>
<h1>${escapeMarkup(fullName)}</h1>
${summary === null ? '' : `<p>${escapeMarkup(summary)}</p>`}
${summaryZh === null ? '' : `<p lang="zh">${escapeMarkup(summaryZh)}</p>`}
<p>${install === null ? 'No command installs it.' : `<code>${escapeMarkup(install)}</code>`}</p>
<p><a href="${escapeMarkup(repoUrl)}">Source</a></p>
<p>A listing is not a security review.</p>
</main>
`
  return new Response(text, {
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': "default-src 'none'" },
  })
}
