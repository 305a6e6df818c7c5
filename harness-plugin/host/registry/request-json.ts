import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { createBrotliDecompress, createGunzip } from 'node:zlib'
import { HttpProxyAgent } from 'http-proxy-agent'
import { HttpsProxyAgent } from 'https-proxy-agent'
import type { NetworkSettings } from './npmrc.ts'

const MAX_REDIRECTS = 3
/**
 * Limits on a JSON document as it arrives and after it was unpacked, in bytes. The abbreviated document of a package with
 * 2,000 versions has 2 MB.
 */
const MAX_BYTES = 20_000_000
const MAX_UNPACKED_BYTES = 100_000_000

export interface RequestOptions {
  readonly network: NetworkSettings
  readonly headers?: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

export interface RawOptions extends RequestOptions {
  /** Limit on the body, in bytes. */
  readonly maxBytes: number
  /** Returns true for an address that may be requested, also after a redirect. @default all */
  readonly isAllowed?: (address: URL) => boolean
}

/** Thrown for a body beyond its limit. */
export class TooLargeError extends Error {
  constructor() {
    super('the document is too large')
  }
}

interface Response<Body> {
  readonly status: number
  readonly etag: string | null
  /** Time that the server asks to wait, in ms; null when it gives none. */
  readonly retryAfterMs: number | null
  /** Null unless the status is 200. */
  readonly body: Body | null
  /** Size of the body as it arrived, in bytes. */
  readonly size: number
}
export type JsonResponse = Response<unknown>
export type RawResponse = Response<Buffer>

/**
 * Requests a JSON document through the proxy and with the credentials of a profile. Follows redirects; credentials go
 * only to the host that they are configured for.
 *
 * @throws when the server cannot be reached, the request is aborted, or the body is not JSON
 */
export async function requestJson(url: string, options: RequestOptions): Promise<JsonResponse> {
  const response = await request(url, options, { maxBytes: MAX_BYTES, maxUnpackedBytes: MAX_UNPACKED_BYTES })
  return { ...response, body: response.body && JSON.parse(response.body.toString('utf8')) }
}

/**
 * Requests any document in the same way.
 *
 * @throws TooLargeError for a body beyond its limit
 * @throws when the server cannot be reached, the request is aborted, or an address is not allowed
 */
export const requestRaw = (url: string, options: RawOptions): Promise<RawResponse> =>
  request(url, options, { maxBytes: options.maxBytes, maxUnpackedBytes: options.maxBytes })

interface Limits {
  readonly maxBytes: number
  readonly maxUnpackedBytes: number
}

async function request(
  url: string,
  options: RequestOptions & Partial<Pick<RawOptions, 'isAllowed'>>,
  limits: Limits,
): Promise<RawResponse> {
  const { isAllowed = () => true } = options
  let address = new URL(url)
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    if (!isAllowed(address)) throw new Error('an address that may not be requested')
    const response = await send(address, options)
    const { location } = response.headers
    if (location === undefined || ![301, 302, 303, 307, 308].includes(response.statusCode ?? 0))
      return read(response, limits)
    response.resume()
    address = new URL(location, address)
    if (!/^https?:$/.test(address.protocol)) break
  }
  throw new Error('too many redirects')
}

function send(address: URL, { network, headers, signal }: RequestOptions): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const authorization = network.authorizationFor(address.href)
  const request = (address.protocol === 'https:' ? httpsRequest : httpRequest)(
    address,
    {
      agent: agentFor(address, network),
      signal,
      headers: {
        accept: 'application/json',
        'accept-encoding': 'gzip, br',
        'user-agent': 'plugmark',
        ...(authorization === null ? {} : { authorization }),
        ...headers,
      },
    },
    resolve,
  )
  request.on('error', reject)
  request.end()
  return promise
}

const agents = new Map<string, HttpAgent>()
/**
 * Returns an agent that reuses connections, because a run over all plugins makes thousands of requests to two hosts.
 */
function agentFor({ protocol, href }: URL, { proxyFor, ca, strictSsl }: NetworkSettings): HttpAgent {
  const proxy = proxyFor(href)
  const tls = { rejectUnauthorized: strictSsl, ...(ca === null ? {} : { ca }) }
  const key = JSON.stringify([protocol, proxy, tls])
  const known = agents.get(key)
  if (known) return known
  const options = { ...tls, keepAlive: true }
  const isSecure = protocol === 'https:'
  const direct = () => (isSecure ? new HttpsAgent(options) : new HttpAgent(options))
  const proxied = (address: string) =>
    isSecure ? new HttpsProxyAgent(address, options) : new HttpProxyAgent(address, options)
  const agent: HttpAgent = proxy === null ? direct() : (proxied(proxy) as unknown as HttpAgent)
  agents.set(key, agent)
  return agent
}

async function read(response: IncomingMessage, { maxBytes, maxUnpackedBytes }: Limits): Promise<RawResponse> {
  let size = 0
  response.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > maxBytes) response.destroy(new TooLargeError())
  })
  const encoding = response.headers['content-encoding']
  // An unchanged document has no body, whatever its headers say.
  const isEmpty = response.statusCode === 304
  const unzip = isEmpty
    ? null
    : encoding === 'gzip'
      ? createGunzip()
      : encoding === 'br'
        ? createBrotliDecompress()
        : null
  if (unzip) response.on('error', (error) => unzip.destroy(error))
  const chunks: Buffer[] = []
  let unpacked = 0
  for await (const chunk of unzip ? response.pipe(unzip) : response) {
    unpacked += (chunk as Buffer).length
    if (unpacked > maxUnpackedBytes) {
      response.destroy()
      throw new TooLargeError()
    }
    chunks.push(chunk as Buffer)
  }
  const status = response.statusCode ?? 0
  return {
    status,
    etag: response.headers.etag ?? null,
    retryAfterMs: parseRetryAfter(response.headers['retry-after']),
    body: status === 200 ? Buffer.concat(chunks) : null,
    size,
  }
}

/** Returns the time to wait in ms; the header has seconds or a date. */
function parseRetryAfter(value: string | undefined): number | null {
  if (value === undefined) return null
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : null
}
