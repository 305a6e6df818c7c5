import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import { isIPv6 } from 'node:net'
import { type Duplex, Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { getResponse, type HttpHandler } from 'msw'
import { errorResponse, methodNotAllowed, notFound } from '../http/answer.ts'
import { CodedBodies, codingFor } from './encoding.ts'

/** Where a request goes: it may say so in full, and without a host it goes to this server's own address. */
function addressOf({ url = '/', headers: { host }, socket }: IncomingMessage): URL | null {
  if (!url.startsWith('/')) return URL.parse(url)
  const own = socket.localAddress?.replace(/^::ffff:/, '') ?? ''
  return URL.parse(`http://${host || `${isIPv6(own) ? `[${own}]` : own}:${socket.localPort}`}${url}`)
}

/** The request as fetch has it; HEAD becomes GET, whose body is then not sent. Undefined when it has no such form. */
function requestOf(message: IncomingMessage, signal: AbortSignal): Request | undefined {
  const headers = new Headers()
  for (let i = 0; i < message.rawHeaders.length; i += 2) {
    headers.append(message.rawHeaders[i]!, message.rawHeaders[i + 1]!)
  }
  const method = message.method === 'HEAD' ? 'GET' : (message.method ?? 'GET')
  const address = addressOf(message)
  return address === null ? undefined : new Request(address, { method, headers, signal })
}

/** Sends a response, coded when it has a validator to remember the coding by. */
async function send(message: IncomingMessage, outgoing: ServerResponse, response: Response, coded: CodedBodies) {
  if (response.type === 'error') return void message.socket.resetAndDestroy()
  const headers = Object.fromEntries(response.headers)
  const etag = response.headers.get('etag')
  if (etag !== null && response.body !== null) {
    const read = async () => Buffer.from(await response.arrayBuffer())
    const wanted = codingFor(message.headers['accept-encoding'])
    const { bytes, coding } =
      wanted === null ? { bytes: await read(), coding: null } : await coded.get(etag, wanted, read)
    if (coding !== null) headers['content-encoding'] = coding
    outgoing.writeHead(response.status, { ...headers, 'content-length': bytes.length }).end(bytes)
    return
  }
  outgoing.writeHead(response.status, headers)
  if (response.body === null || message.method === 'HEAD') return void outgoing.end()
  Readable.fromWeb(response.body as ReadableStream)
    .on('error', () => outgoing.destroy())
    .pipe(outgoing)
}

/** Answers what node:http cannot take for a request; it gives up on the rest of the connection. */
async function refuse(error: NodeJS.ErrnoException, socket: Duplex): Promise<void> {
  if (!socket.writable) return void socket.destroy()
  const response =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? errorResponse({ method: 'GET' }, 431, 'This request is too long. Ask with a shorter `q`.')
      : errorResponse({ method: 'GET' }, 400, 'This request cannot be read.')
  const body = await response.text()
  const headers = [...response.headers, ['content-length', Buffer.byteLength(body)], ['connection', 'close']]
  const head = [`HTTP/1.1 ${response.status} ${STATUS_CODES[response.status]}`, ...headers.map((h) => h.join(': '))]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  // Closed on what it has not read yet, a connection is reset, and the answer with it.
  socket.resume()
}

/**
 * An HTTP server that answers with MSW handlers: content coding, HEAD, connections that break as a fault asks, and
 * JSON errors for whatever no handler knows.
 *
 * @param handlers the handlers that are in force when a request comes in
 */
export function serveHandlers(handlers: () => HttpHandler[]): Server {
  const coded = new CodedBodies()
  const server = createServer({ requireHostHeader: false }, async (message, outgoing) => {
    const gone = new AbortController()
    outgoing.once('close', () => {
      if (!outgoing.writableFinished) gone.abort()
    })
    try {
      if (message.method === 'TRACE') return await send(message, outgoing, methodNotAllowed({ method: 'TRACE' }), coded)
      const request = requestOf(message, gone.signal)
      const response =
        request === undefined
          ? errorResponse({ method: 'GET' }, 400, 'The address of this request cannot be read.')
          : ((await getResponse(handlers(), request)) ?? notFound({ method: 'GET' }))
      await send(message, outgoing, response, coded)
    } catch (error) {
      outgoing.destroy()
      if (!gone.signal.aborted) throw error
    }
  })
  return server.on('clientError', (error, socket) => void refuse(error, socket))
}
