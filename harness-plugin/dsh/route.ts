import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ConnectionContext, RpcHandler } from './harness-context.ts'

/** Limit on a call's body: above the largest call, which starts `MAX_REVIEWS` reviews of the longest ids. */
export const MAX_BODY_BYTES = 512 * 1024

/**
 * Serves a channel of the page's `connection.rpc.call` by a prefix route of our own, for harnesses whose `rpc.handle`
 * throws for every plugin (0.1.5 to 0.2.1). A route has no protection of its own: `requestRejection` checks the
 * harness's cookie, Host and Origin, but neither method nor content type.
 *
 * @throws Error when the harness has no `requestRejection`, or another plugin has the path
 */
export function serveRoute(ctx: ConnectionContext, channel: string, answer: RpcHandler): void {
  const { connection, webServer } = ctx
  if (typeof connection.requestRejection !== 'function') throw new Error('This harness cannot check who calls.')
  const handler = async (request: IncomingMessage, response: ServerResponse) => {
    // Do not use `?.` here: if the method disappeared, every request would pass.
    const rejection: unknown = connection.requestRejection!(request)
    if (rejection !== undefined) return end(response, rejection === 401 ? 401 : 403)
    if (request.method !== 'POST') return end(response, 405, { allow: 'POST' })
    if (!/^application\/json\s*(?:;|$)/i.test(request.headers['content-type'] ?? '')) return end(response, 415)
    const body = await readBody(request)
    if (body === null) return end(response, 413)
    const call = parseCall(body)
    if (call === null || request.url !== `${channel}/${call.method}`) return end(response, 400)
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    const result = await answer(call.method, call.payload, gone.signal)
    const reply = JSON.stringify({ type: 'server-response', rpcId: call.rpcId, result })
    end(response, 200, { 'content-type': 'application/json', 'cache-control': 'no-store' }, reply)
  }
  ctx.effect(
    () =>
      webServer.register({
        kind: 'prefix',
        path: channel,
        // An unhandled rejection ends the harness.
        handler: (request, response) => void handler(request, response).catch(() => end(response, 500)),
      }),
    'plugmark: route',
  )
}

function end(response: ServerResponse, status: number, headers: Record<string, string> = {}, body?: string): void {
  if (response.headersSent) response.destroy()
  else response.writeHead(status, headers).end(body)
}

/**
 * Reads all of a body, so that the answer is not lost in a reset connection, but keeps no more than the limit.
 *
 * @returns null for a longer body
 * @throws when the client disconnects meanwhile
 */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length
    if (sizeBytes <= MAX_BODY_BYTES) chunks.push(chunk)
  }
  return sizeBytes <= MAX_BODY_BYTES ? Buffer.concat(chunks).toString('utf8') : null
}

/** Parses a call. @returns null for any other body */
function parseCall(body: string): { rpcId: string; method: string; payload: unknown } | null {
  try {
    const { type, rpcId, method, payload } = JSON.parse(body)
    const isCall = type === 'client-request' && typeof rpcId === 'string' && typeof method === 'string'
    return isCall ? { rpcId, method, payload } : null
  } catch {
    return null
  }
}
