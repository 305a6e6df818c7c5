import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ConnectionContext, RpcHandler } from './harness.ts'

/** No call of the store's page is near this, in bytes. */
const MAX_BODY = 16 * 1024

/**
 * Serves a channel of the page's `connection.rpc.call` by a prefix route of our own, for harnesses whose `rpc.handle`
 * throws for every plugin (0.1.5 to 0.2.1). A route has no protection but what it asks for: `requestRejection` checks
 * the harness's cookie, Host and Origin, and neither method nor content type.
 *
 * @throws Error when the harness has no `requestRejection`, or another plugin has the path
 */
export function serveRoute(ctx: ConnectionContext, channel: string, answer: RpcHandler): void {
  const { connection, webServer } = ctx
  if (typeof connection.requestRejection !== 'function') throw new Error('This harness cannot check who calls.')
  const handler = async (request: IncomingMessage, response: ServerResponse) => {
    const rejection = connection.requestRejection?.(request)
    if (rejection !== undefined) return end(response, typeof rejection === 'number' ? rejection : 403)
    if (request.method !== 'POST') return end(response, 405, { allow: 'POST' })
    if (!/^application\/json(?:\s*;|$)/i.test(request.headers['content-type'] ?? '')) return end(response, 415)
    const body = await readBody(request)
    if (body === null) return end(response, 413, { connection: 'close' })
    const endpoint = new URL(request.url ?? '', 'http://localhost').pathname.slice(channel.length + 1)
    const call = readCall(body)
    if (call === null || call.method !== endpoint) return end(response, 400)
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    const result = await answer(endpoint, call.payload, gone.signal)
    response.setHeader('content-type', 'application/json')
    response.setHeader('cache-control', 'no-store')
    response.end(JSON.stringify({ type: 'server-response', rpcId: call.rpcId, result }))
  }
  ctx.effect(
    () =>
      webServer.register({
        kind: 'prefix',
        path: channel,
        // A rejection that nobody takes would end the harness.
        handler: (request, response) => void handler(request, response).catch(() => end(response, 500)),
      }),
    'plugmark: route',
  )
}

function end(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  if (response.headersSent) return void response.destroy()
  response.writeHead(status, headers).end()
}

/** Null when it is too long; the rest of it is not read. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function readCall(body: string): { rpcId: string; method: string; payload: unknown } | null {
  try {
    const { type, rpcId, method, payload } = JSON.parse(body)
    const isCall = type === 'client-request' && typeof rpcId === 'string' && typeof method === 'string'
    return isCall ? { rpcId, method, payload } : null
  } catch {
    return null
  }
}
