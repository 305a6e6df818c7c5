import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import { type AddressInfo, isIPv6 } from 'node:net'
import { type Duplex, Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import Negotiator from 'negotiator'
import { errorResponse, Kept, methodNotAllowed, notFound, optionsResponse } from './responses.ts'

/** Returns the response to a request; nothing when it is not the API's. */
type Respond = (request: Request) => Response | null | undefined | Promise<Response | null | undefined>

export interface ServerOptions {
  /** Free to choose: 0. */
  readonly port: number
  readonly host: string
  /** Returns what answers the requests. @param url address of the server, without a trailing slash */
  readonly createRespond: (url: string) => Respond
  readonly onRequest?: (message: IncomingMessage) => void
}

export interface DirectoryServer {
  /** Base address of the API, without a trailing slash. */
  readonly url: string
  /** Breaks open connections and frees the port. */
  close(): Promise<void>
}

/**
 * Serves an API on a port of this machine; resolves once it listens.
 *
 * @throws the error of `listen`, such as EADDRINUSE
 */
export async function startServer({ port, host, createRespond, onRequest }: ServerOptions): Promise<DirectoryServer> {
  const server = createServer({ requireHostHeader: false })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const url = `http://${isIPv6(host) ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`
  const respond = createRespond(url)
  server.on('clientError', (error, socket) => void rejectConnection(error, socket))
  server.on('request', (message, outgoing) => {
    onRequest?.(message)
    void answer(message, outgoing, respond)
  })
  return {
    url,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

async function answer(message: IncomingMessage, outgoing: ServerResponse, respond: Respond): Promise<void> {
  const disconnected = new AbortController()
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) disconnected.abort()
  })
  try {
    await send(message, outgoing, await handle(message, respond, disconnected.signal))
  } catch (error) {
    outgoing.destroy()
    if (!disconnected.signal.aborted) console.error('A request failed:', error)
  }
}

async function handle(message: IncomingMessage, respond: Respond, signal: AbortSignal): Promise<Response> {
  // fetch forbids TRACE.
  if (message.method === 'TRACE') return methodNotAllowed({ method: 'TRACE' })
  if (message.method === 'OPTIONS' && message.url === '*') return optionsResponse()
  const request = toRequest(message, signal)
  if (request === null) return errorResponse({ method: 'GET' }, 400, 'The address of this request cannot be read.')
  return (await respond(request)) ?? notFound({ method: 'GET' })
}

/**
 * Converts a request. HEAD becomes GET, so that the response has the headers of GET, and `send` drops the body.
 *
 * @returns null when the address is malformed or has credentials
 */
function toRequest(message: IncomingMessage, signal: AbortSignal): Request | null {
  const url = toUrl(message)
  if (url === null) return null
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(message.headersDistinct)) {
    for (const value of values) headers.append(name, value)
  }
  const method = message.method === 'HEAD' ? 'GET' : (message.method ?? 'GET')
  try {
    return new Request(url, { method, headers, signal })
  } catch {
    // fetch forbids addresses with credentials, and some methods.
    return null
  }
}

/** Returns the address of a request, which may be absolute. Without a host, uses this server's own address. */
function toUrl({ url = '/', headers: { host }, socket }: IncomingMessage): URL | null {
  if (!url.startsWith('/')) return URL.parse(url)
  const address = socket.localAddress?.replace(/^::ffff:/, '') ?? ''
  return URL.parse(`http://${host || `${isIPv6(address) ? `[${address}]` : address}:${socket.localPort}`}${url}`)
}

async function send(message: IncomingMessage, outgoing: ServerResponse, response: Response): Promise<void> {
  // As for fetch, such a response is a broken connection.
  if (response.type === 'error') return void message.socket.resetAndDestroy()
  const headers = Object.fromEntries(response.headers)
  // Only the documents of the API have a validator. Anything else is sent as it is.
  if (response.headers.has('etag') && response.body !== null) {
    const encoding = negotiateEncoding(message.headers['accept-encoding'])
    const body = await bodyOf(response, encoding)
    if (encoding !== null) headers['content-encoding'] = encoding
    return void outgoing.writeHead(response.status, { ...headers, 'content-length': body.length }).end(body)
  }
  outgoing.writeHead(response.status, headers)
  if (response.body === null || message.method === 'HEAD') return void outgoing.end()
  Readable.fromWeb(response.body as ReadableStream)
    .on('error', () => outgoing.destroy())
    .pipe(outgoing)
}

type Encoding = 'br' | 'gzip'

/** The published types do not have the second parameter. */
interface PreferringNegotiator extends Negotiator {
  encodings(available: readonly string[], options?: { readonly preferred: readonly string[] }): string[]
}

/** Returns the encoding that an `Accept-Encoding` header prefers, of equal ones the smaller; null for none. */
export function negotiateEncoding(acceptEncoding?: string): Encoding | null {
  const headers = acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding }
  const negotiator = new Negotiator({ headers }) as PreferringNegotiator
  const [best] = negotiator.encodings(['br', 'gzip', 'identity'], { preferred: ['br', 'gzip'] })
  return best === 'br' || best === 'gzip' ? best : null
}

/** Compressed bodies by encoding and ETag, in characters at most. Requests at the same time share one. */
const compressed = new Kept<Promise<Buffer>>(32_000_000)

/** Returns the body of a response of the API, compressed. Compresses the same body once. */
async function bodyOf(response: Response, encoding: Encoding | null): Promise<Buffer> {
  if (encoding === null) return Buffer.from(await response.arrayBuffer())
  const key = `${encoding} ${response.headers.get('etag')}`
  const kept = compressed.get(key)
  if (kept !== undefined) {
    void response.body?.cancel()
    return kept
  }
  const bytes = Buffer.from(await response.arrayBuffer())
  return compressed.get(key) ?? compressed.set(key, encode(bytes, encoding), bytes.length)
}

/** Compresses a body. Brotli at quality 4 takes as long as gzip and is smaller. */
function encode(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'gzip') return promisify(gzip)(bytes)
  return promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
}

/** Responds to input that node:http cannot parse; it gives up on the rest of the connection. */
async function rejectConnection(error: NodeJS.ErrnoException, socket: Duplex): Promise<void> {
  if (!socket.writable) return void socket.destroy()
  const response =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? errorResponse({ method: 'GET' }, 431, 'This request is too long. Ask with a shorter `q`.')
      : errorResponse({ method: 'GET' }, 400, 'This request cannot be read.')
  const body = await response.text()
  const headers = [...response.headers, ['content-length', Buffer.byteLength(body)], ['connection', 'close']]
  const head = [`HTTP/1.1 ${response.status} ${STATUS_CODES[response.status]}`, ...headers.map((h) => h.join(': '))]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  // Closing with unread data would reset the connection, and with it the response.
  socket.resume()
}
