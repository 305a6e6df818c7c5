/** The client of a directory without its HTTP: the caller provides the `Send`. */
import * as v from 'valibot'
import {
  hidePasswords,
  type IndexDocument,
  LIMITS,
  listingKey,
  nameParts,
  type PluginRecord,
  PluginRecordSchema,
  type Verdict,
  WholeNumberSchema,
} from '../contract/index.ts'

/** Query of `GET /api/v1/plugins`. Every field is optional. `getPlugins` sends them unchecked. */
export interface PluginsQuery {
  /** Free text over repository name, both summaries and description; at most 200 characters. */
  readonly q?: string
  /** A category id. An id that the server does not know matches nothing. */
  readonly category?: string
  /** 1 to 100. Every server handles 24, 48 and 96 correctly. @default 24 */
  readonly limit?: number
  readonly installCheck?: Verdict
  /** 1-based. @default 1 */
  readonly page?: number
}

/** One page of listings. */
export interface PluginsPage {
  readonly records: readonly PluginRecord[]
  /** The server's count of listings that match, over all pages; null when it sends none. */
  readonly total: number | null
  /** Rows in the response, including bad ones that were dropped. 0 means that this page is past the last one. */
  readonly received: number
  /** Rows that break the contract, as the server sent them. */
  readonly dropped: readonly unknown[]
}

/** A row that breaks the contract. */
export interface Rejection {
  /** Address of the request. */
  readonly url: string
  /** Position in the response, 0-based. */
  readonly index: number
  /** Reason in plain words. */
  readonly reason: string
}

interface CallOptions {
  readonly signal?: AbortSignal
  /** Retries of each request. @default the client's */
  readonly retries?: number
  /** Time limit of one attempt, its body included, in ms. @default the client's */
  readonly timeoutMs?: number
  /** Time limit of a request with all its retries, in ms. @default the client's */
  readonly totalTimeoutMs?: number
}

/** Result of `verifiedPlugins`. */
interface VerifiedPlugin {
  readonly record: PluginRecord
  /** Source of the verification: the record's own verdict, or a server that was found to filter by `installCheck`. */
  readonly by: 'record' | 'server-filter'
}

/** A client of a directory. Every call rejects with DirectoryError. */
export interface DirectoryClient {
  /** Origin and path prefix of the directory, without a trailing slash. */
  readonly baseUrl: string
  plugins(query?: PluginsQuery, options?: CallOptions): Promise<PluginsPage>
  /** Yields every match once. Requests pages of 96, one at a time. */
  allPlugins(
    query?: Omit<PluginsQuery, 'limit' | 'page'>,
    options?: CallOptions,
  ): AsyncGenerator<PluginRecord, void, undefined>
  /** Returns the listing with the listing key of `fullName`, or null. Sends at most four requests. */
  plugin(fullName: string, options?: CallOptions): Promise<PluginRecord | null>
  /** Yields listings whose install check has passed, and none when that cannot be known. */
  verifiedPlugins(
    query?: Omit<PluginsQuery, 'limit' | 'page' | 'installCheck'>,
    options?: CallOptions,
  ): AsyncGenerator<VerifiedPlugin, void, undefined>
  /** Returns the index, its rows undecoded; `@plugmark/shared/index-cache` decodes and stores it. */
  index(options?: CallOptions): Promise<IndexDocument>
}

/**
 * - `http`: the directory responded with an error status
 * - `network`: no complete response arrived (in a page also a 5xx, which carries no CORS header)
 * - `timeout`: the response did not arrive in time
 * - `aborted`: the caller's signal ended the call
 * - `invalid`: an argument breaks its rule and nothing was sent, or the response breaks the contract
 */
export type DirectoryErrorKind = 'http' | 'network' | 'timeout' | 'aborted' | 'invalid'

interface Details {
  readonly kind: DirectoryErrorKind
  readonly url: string
  readonly status?: number | null
  readonly cause?: unknown
}

/** The only error with which calls of a DirectoryClient reject. Its message says what to do, and has no password. */
export class DirectoryError extends Error {
  override readonly name = 'DirectoryError'
  readonly kind: DirectoryErrorKind
  /** Status of the response; null when there was none. */
  readonly status: number | null
  /** Address of the request; for a bad argument, that of the directory. */
  readonly url: string

  constructor(message: string, { kind, url, status = null, cause }: Details) {
    super(message, { cause })
    this.kind = kind
    this.status = status
    this.url = url
  }
}

/** The server responded with an error status. */
export class HttpFailure extends Error {
  readonly status: number
  /** The wait that the server requests, ms; 0 when it requests none, or the header cannot be read. */
  readonly retryAfterMs: number
  constructor(status: number, retryAfterMs = 0) {
    super(`status ${status}`)
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

export class BodyTooLarge extends Error {
  /** In bytes. */
  readonly limit: number
  constructor(limit: number) {
    super(`the body is larger than ${limit} bytes`)
    this.limit = limit
  }
}

/** The connection ended before the body did. */
export class BodyTruncated extends Error {}

// Requests

/** Fetches the index. The caller validates it. */
export function getIndex(send: Send, baseUrl: string, call: CallOptions): Promise<unknown> {
  return getJson(indexUrl(baseUrl), send, call)
}

export function indexUrl(baseUrl: string): string {
  return `${baseUrl}/api/v1/index`
}

/**
 * Fetches one page of listings.
 *
 * @param options.baseUrl without a trailing slash
 * @param options.onRejected called for every row that breaks the contract
 * @param query sent unchecked; `limit` defaults to the smallest page size that is right on every server
 * @throws DirectoryError
 */
export async function getPlugins(
  send: Send,
  { baseUrl, onRejected }: { baseUrl: string; onRejected?: ((rejection: Rejection) => void) | undefined },
  query: PluginsQuery = {},
  call: CallOptions = {},
): Promise<PluginsPage> {
  const { q, category, limit = LIMITS.safePageSizes[0], installCheck, page = 1 } = query
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries({ q, category, limit, installCheck, page })) {
    if (value) search.set(name, String(value))
  }
  const url = `${baseUrl}/api/v1/plugins?${search}`
  return decodePlugins(await getJson(url, send, call), url, onRejected)
}

/**
 * Decodes a response of the plugins endpoint: `{results, total?, count?}`, or a bare array of rows. Rows that break the
 * contract are reported and dropped.
 *
 * @throws DirectoryError of kind `invalid` when the response is neither
 */
function decodePlugins(body: unknown, url: string, onRejected?: (rejection: Rejection) => void): PluginsPage {
  const envelope: { results?: unknown; total?: unknown } = Array.isArray(body) ? { results: body } : Object(body)
  const { results, total } = envelope
  if (!Array.isArray(results)) throw contractError(url, 'neither an array nor an object with an array called results')
  const records: PluginRecord[] = []
  const dropped: unknown[] = []
  for (const [index, row] of results.entries()) {
    const parsed = v.safeParse(PluginRecordSchema, row)
    if (parsed.success) records.push(parsed.output)
    else {
      dropped.push(row)
      onRejected?.({ url, index, reason: describeIssue(parsed.issues[0]) })
    }
  }
  return { records, total: v.is(WholeNumberSchema, total) ? total : null, received: results.length, dropped }
}

export function describeIssue(issue: v.BaseIssue<unknown>): string {
  return `${v.getDotPath(issue) ?? 'row'}: ${issue.message}`
}

/** @param what description of the actual response */
export function contractError(url: string, what: string, details?: Pick<Details, 'status' | 'cause'>): DirectoryError {
  const message = `${url} answered with ${what}. Check that the directory address is a plugin directory's.`
  return new DirectoryError(message, { kind: 'invalid', url, status: 200, ...details })
}

/**
 * Sends one GET and reads the body of a successful response as text.
 *
 * @throws HttpFailure, BodyTooLarge, a DOMException named TimeoutError, or anything else for a failed connection
 */
export type Send = (url: string, options: CallOptions) => Promise<{ readonly text: string; readonly status: number }>

/** Options of every request: they need no preflight (Accept needs none) and do not identify the user. */
export const REQUEST = {
  headers: { accept: 'application/json' },
  credentials: 'omit',
  referrerPolicy: 'no-referrer',
} satisfies RequestInit

/**
 * Sends one GET and parses its JSON.
 *
 * @throws DirectoryError
 */
async function getJson(url: string, send: Send, options: CallOptions): Promise<unknown> {
  try {
    const { text, status } = await send(url, options)
    return parseJson(text, url, status)
  } catch (error) {
    throw toDirectoryError(error, url, options.signal)
  }
}

function parseJson(text: string, url: string, status: number): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const start = text.trimStart()
    const received = start === '' ? 'nothing' : start.startsWith('<') ? 'a web page' : 'text that is not JSON'
    throw contractError(url, `${received} instead of the directory's JSON`, { status, cause })
  }
}

function toDirectoryError(cause: unknown, url: string, signal?: AbortSignal): DirectoryError {
  const failed = (kind: DirectoryErrorKind, message: string) => new DirectoryError(message, { kind, url, cause })
  if (cause instanceof DirectoryError) return cause
  if (signal?.aborted) return failed('aborted', `The request to ${url} was cancelled.`)
  if (cause instanceof HttpFailure) {
    const { status } = cause
    const message = `${url} answered with status ${status}. ${httpAdvice(cause)}`
    return new DirectoryError(message, { kind: 'http', url, status, cause })
  }
  if (cause instanceof BodyTooLarge)
    return failed('invalid', `${url} answered with more than ${cause.limit} bytes. Check the directory address.`)
  if (cause instanceof DOMException && cause.name === 'TimeoutError')
    return failed('timeout', `${url} did not answer in time. Try again later.`)
  const message = `${url} could not be reached, or the connection broke. Check the connection and the directory address.`
  return failed('network', message)
}

function httpAdvice({ status, retryAfterMs }: HttpFailure): string {
  const seconds = Math.ceil(retryAfterMs / 1000)
  if (status === 429) return `Too many requests: try again ${seconds > 0 ? `in ${seconds} s` : 'later'}.`
  return status >= 500 ? 'The directory has a problem: try again later.' : 'Check the directory address.'
}

// Addresses

/**
 * Parses the address of a directory, or of a folder of pages, for clients, builds and tools.
 *
 * @returns origin and path without a trailing slash, to which a path can be added; null when the text is not an http or
 *   https address without user, query and hash
 */
export function parseAddress(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) return null
  // `href` keeps a `?` or `#` with nothing after it.
  return (url.origin + url.pathname).replace(/\/+$/, '')
}

/**
 * Returns the directory's address without a trailing slash.
 *
 * @throws DirectoryError of kind `invalid` when it is not a plain http or https address
 */
export function validateBaseUrl(baseUrl: string): string {
  const address = parseAddress(baseUrl)
  if (address !== null) return address
  const message = `The directory address must be an http or https address without user, query or hash, not ${JSON.stringify(baseUrl)}.`
  throw new DirectoryError(hidePasswords(message), { kind: 'invalid', url: hidePasswords(String(baseUrl)) })
}

// Calls that read several pages

/** The largest page that is right on every server. */
const PAGE_LIMIT = LIMITS.safePageSizes[2]
/** Far more pages than a catalogue has, so that a server with endless pages is not read forever. */
const MAX_PAGES = 5_000
/** Pages read for each query of `findPlugin`. */
const MAX_PAGES_TO_FIND = 2

type Endpoint = Pick<DirectoryClient, 'plugins' | 'baseUrl'>

/**
 * Yields the pages of a query, each row once, up to the first empty page, with one request in flight at a time. Also
 * ends at a page without new rows, parsed or dropped, because a server that ignores `page` repeats the first one.
 *
 * @throws DirectoryError
 */
export async function* pagesOf(
  client: Endpoint,
  query: Omit<PluginsQuery, 'limit' | 'page'>,
  options: CallOptions,
): AsyncGenerator<PluginsPage, void, undefined> {
  const seen = new Set<string>()
  for (let page = 1; page <= MAX_PAGES; page++) {
    const response = await client.plugins({ ...query, limit: PAGE_LIMIT, page }, options)
    const isNew = (key: string) => !seen.has(key) && seen.add(key)
    const records = response.records.filter(({ fullName }) => isNew(listingKey(fullName)))
    const dropped = response.dropped.filter((row) => isNew(JSON.stringify(row)))
    if (records.length === 0 && dropped.length === 0) return
    yield { ...response, records }
  }
  const message = `${client.baseUrl} sent ${MAX_PAGES} pages without an end. Narrow the query.`
  throw new DirectoryError(message, { kind: 'invalid', url: client.baseUrl })
}

/**
 * Finds one listing by its name; names are equal when their listing keys are. The contract has no such endpoint, and
 * the first hit of a search may only mention the name. So this searches the full name, then the repository's, and
 * compares every hit.
 *
 * @returns null when none of the hits has this name
 * @throws DirectoryError
 */
export async function findPlugin(
  client: Pick<DirectoryClient, 'plugins'>,
  fullName: string,
  options: CallOptions,
): Promise<PluginRecord | null> {
  const key = listingKey(fullName)
  for (const q of [fullName, nameParts(fullName).repo]) {
    if (q.length > LIMITS.queryLength) continue
    for (let page = 1; page <= MAX_PAGES_TO_FIND; page++) {
      const { records, received, total } = await client.plugins({ q, limit: PAGE_LIMIT, page }, options)
      const found = records.find((record) => listingKey(record.fullName) === key)
      if (found) return found
      if (received === 0 || (total !== null && total <= page * PAGE_LIMIT)) break
    }
  }
  return null
}

/**
 * Returns the client's `verifiedPlugins`.
 *
 * A server may ignore the filter `installCheck`, so a record's own verdict decides. When records carry none, the first
 * call also asks the server for `failed`: if a row is in both responses, the server does not filter, and nothing counts
 * as verified.
 */
export function createVerifiedPlugins(client: Endpoint): DirectoryClient['verifiedPlugins'] {
  let filterWorks: boolean | undefined
  let recordsCarryVerdicts = false

  async function probeFilter(
    query: Omit<PluginsQuery, 'limit' | 'page' | 'installCheck'>,
    passed: readonly PluginRecord[],
    options: CallOptions,
  ): Promise<boolean> {
    const failed = await client.plugins({ ...query, installCheck: 'failed', limit: PAGE_LIMIT }, options)
    const names = new Set(passed.map(({ fullName }) => listingKey(fullName)))
    const overlap = failed.records.some(({ fullName }) => names.has(listingKey(fullName)))
    // Rows that break the contract cannot be compared.
    return !overlap && failed.records.length === failed.received
  }

  return async function* (query = {}, options = {}): AsyncGenerator<VerifiedPlugin, void, undefined> {
    for await (const { records } of pagesOf(client, { ...query, installCheck: 'passed' }, options)) {
      recordsCarryVerdicts ||= records.some((record) => record.installCheck !== undefined)
      if (!recordsCarryVerdicts && records.length > 0) filterWorks ??= await probeFilter(query, records, options)
      for (const record of records) {
        if (record.installCheck === 'passed') yield { record, by: 'record' }
        else if (record.installCheck === undefined && !recordsCarryVerdicts && filterWorks)
          yield { record, by: 'server-filter' }
      }
    }
  }
}
