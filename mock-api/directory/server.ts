import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import { type AddressInfo, isIPv6 } from 'node:net'
import { type Duplex, Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { getResponse, type HttpHandler } from 'msw'
import { embeddedCatalogue } from '../mock/catalogue/embedded.ts'
import type { Fault } from '../mock/faults.ts'
import { createHandlers, faultHandler } from '../mock/handlers.ts'
import type { ApiOptions } from './api.ts'
import type { Catalogue } from './catalogue.ts'
import { encode, negotiateEncoding } from './encoding.ts'
import { errorResponse, methodNotAllowed, notFound } from './responses.ts'

export interface MockServerOptions extends Omit<Partial<ApiOptions>, 'baseUrl'> {
  /** @default 0, any free one */
  readonly port?: number
  /** @default '127.0.0.1' */
  readonly host?: string
  /** Responds to every request with this fault. @default none */
  readonly fault?: Fault
}

/** One request that the server received. */
interface ReceivedRequest {
  readonly method: string
  /** Path with query, undecoded. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

export interface MockServer {
  /** Base address of the API, without a trailing slash. */
  readonly url: string
  readonly catalogue: Catalogue
  /** The last 1,000 requests, oldest first. */
  readonly requests: readonly ReceivedRequest[]
  /** Adds handlers before the others, as `server.use` of MSW does: `faultHandler('500')`, or a hostile document. */
  use(...handlers: HttpHandler[]): void
  /** Removes the handlers that `use` added. */
  resetHandlers(): void
  /** Breaks open connections and frees the port. */
  close(): Promise<void>
}

const MAX_REQUESTS = 1000

/**
 * Serves the API on a port of this machine; resolves once it listens.
 *
 * @throws the error of `listen`, such as EADDRINUSE
 */
export async function startMockServer(options: MockServerOptions = {}): Promise<MockServer> {
  const { port = 0, host = '127.0.0.1', fault, catalogue = embeddedCatalogue() } = options
  const permanent = [
    ...(fault === undefined ? [] : [faultHandler(fault)]),
    ...createHandlers({ ...options, catalogue }),
  ]
  let handlers = permanent
  const requests: ReceivedRequest[] = []
  const server = createServer({ requireHostHeader: false }, (message, outgoing) => {
    const { method = 'GET', url = '/', headers } = message
    requests.push({ method, path: url, headers })
    if (requests.length > MAX_REQUESTS) requests.shift()
    return respond(message, outgoing, handlers)
  })
  server.on('clientError', (error, socket) => void rejectConnection(error, socket))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address() as AddressInfo
  return {
    url: `http://${isIPv6(host) ? `[${host}]` : host}:${address.port}`,
    catalogue,
    requests,
    use(...more) {
      handlers = [...more, ...handlers]
    },
    resetHandlers() {
      handlers = permanent
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

async function respond(message: IncomingMessage, outgoing: ServerResponse, handlers: HttpHandler[]): Promise<void> {
  const disconnected = new AbortController()
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) disconnected.abort()
  })
  try {
    await send(message, outgoing, await handle(message, handlers, disconnected.signal))
  } catch (error) {
    outgoing.destroy()
    if (!disconnected.signal.aborted) console.error('A request failed:', error)
  }
}

async function handle(message: IncomingMessage, handlers: HttpHandler[], signal: AbortSignal): Promise<Response> {
  // fetch forbids TRACE.
  if (message.method === 'TRACE') return methodNotAllowed({ method: 'TRACE' })
  const request = toRequest(message, signal)
  if (request === null) return errorResponse({ method: 'GET' }, 400, 'The address of this request cannot be read.')
  return (await getResponse(handlers, request)) ?? notFound({ method: 'GET' })
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
  if (response.type === 'error') return void message.socket.resetAndDestroy()
  const headers = Object.fromEntries(response.headers)
  // Only documents have a validator. Faults and hostile documents are sent as they are.
  if (response.headers.has('etag') && response.body !== null) {
    const encoding = negotiateEncoding(message.headers['accept-encoding'])
    const plain = Buffer.from(await response.arrayBuffer())
    const body = encoding === null ? plain : await encode(plain, encoding)
    if (encoding !== null) headers['content-encoding'] = encoding
    return void outgoing.writeHead(response.status, { ...headers, 'content-length': body.length }).end(body)
  }
  outgoing.writeHead(response.status, headers)
  if (response.body === null || message.method === 'HEAD') return void outgoing.end()
  Readable.fromWeb(response.body as ReadableStream)
    .on('error', () => outgoing.destroy())
    .pipe(outgoing)
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
