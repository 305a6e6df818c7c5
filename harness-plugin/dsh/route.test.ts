import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { LIMITS } from '@plugmark/shared/contract'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MAX_CALL_BYTES, MAX_PLUGINS } from '../protocol/limits.ts'
import type { RpcResult } from './harness-channel.ts'
import type { ConnectionContext } from './harness-context.ts'
import { serveRoute } from './page-connection.ts'

type Route = Parameters<ConnectionContext['webServer']['register']>[0]
type Connection = ConnectionContext['connection']

const answer = vi.fn<(endpoint: string, payload: unknown, signal: AbortSignal) => Promise<RpcResult>>()
const rejection = vi.fn<(request: IncomingMessage) => number | undefined>()
const onFault = vi.fn<(error: unknown) => void>()
const warned: unknown[] = []
const onRejection = (reason: unknown) => warned.push(reason)

let server: Server
let route: Route
beforeEach(async () => {
  answer.mockReset().mockResolvedValue({ ok: true, value: 'the answer' })
  rejection.mockReset()
  onFault.mockReset()
  warned.length = 0
  process.on('unhandledRejection', onRejection)
  serveRoute(contextOf({ requestRejection: rejection }), '/plugmark', answer, onFault)
  server = createServer((request, response) => void route.handler(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
  process.off('unhandledRejection', onRejection)
  expect(warned).toEqual([])
})

function contextOf(connection: Partial<Connection>): ConnectionContext {
  const register = (registered: Route) => {
    route = registered
    return () => {}
  }
  return {
    connection,
    webServer: { register },
    effect: (execute: () => unknown) => execute(),
  } as unknown as ConnectionContext
}

const call = (method = 'overview', more: object = {}) =>
  JSON.stringify({ type: 'client-request', rpcId: '7', method, payload: { a: 1 }, ...more })

interface Sent {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

const JSON_TYPE = { 'content-type': 'application/json' }

function open({ method = 'POST', path = '/plugmark/overview', headers = JSON_TYPE }: Sent = {}) {
  return request({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, method, path, headers })
}

async function send(sent: Sent = {}) {
  const out = open(sent).end(sent.body ?? call())
  const [response] = (await once(out, 'response')) as [IncomingMessage]
  let body = ''
  for await (const chunk of response) body += chunk
  return { status: response.statusCode, headers: response.headers, body }
}

test('answers a call of the page', async () => {
  expect(route).toMatchObject({ kind: 'prefix', path: '/plugmark' })
  const { status, headers, body } = await send()
  expect(status).toBe(200)
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' })
  expect(JSON.parse(body)).toEqual({
    type: 'server-response',
    rpcId: '7',
    result: { ok: true, value: 'the answer' },
  })
  expect(answer).toHaveBeenCalledExactlyOnceWith('overview', { a: 1 }, expect.any(AbortSignal))
})

/** Requests that pass all checks before the one that they test. */
const BAD_BODY = { body: 'no JSON' }
const BAD_SIZE = { body: call('overview', { x: 'x'.repeat(MAX_CALL_BYTES) }) }
const BAD_TYPE = { ...BAD_SIZE, headers: { 'content-type': 'text/plain' } }
const BAD_METHOD = { ...BAD_TYPE, method: 'PUT' }

test.each<[string, number, number | undefined, Sent]>([
  ['no cookie', 401, 401, BAD_METHOD],
  ['a foreign Host', 403, 403, BAD_METHOD],
  ['a rejection of a later harness', 403, 409, BAD_METHOD],
  ['another method', 405, undefined, BAD_METHOD],
  ['another content type', 415, undefined, BAD_TYPE],
  ['an oversize body', 413, undefined, BAD_SIZE],
  ['a body that is no JSON', 400, undefined, BAD_BODY],
])(
  'answers %s with %d, whatever else is wrong, and neither runs nor logs anything',
  async (_, status, rejected, sent) => {
    rejection.mockReturnValue(rejected)
    expect(await send(sent)).toMatchObject({ status, body: '' })
    expect(answer).not.toHaveBeenCalled()
  },
)

test('accepts the start of the most reviews, each of the longest id', async () => {
  const id = `owner/${'x'.repeat(LIMITS.fullNameLength - 'owner/'.length)}`
  const reviews = Array.from({ length: MAX_PLUGINS }, () => ({ id, token: 'A'.repeat(43), acknowledged: false }))
  const payload = { reviews }
  const body = JSON.stringify({ type: 'client-request', rpcId: '7', method: 'startAll', payload })
  expect(await send({ path: '/plugmark/startAll', body })).toMatchObject({ status: 200 })
})

test.each(['application/jsonp', 'application/json, text/plain', 'text/plain; application/json', 'multipart/form-data'])(
  'does not accept %s as JSON',
  async (type) => {
    expect(await send({ headers: { 'content-type': type } })).toMatchObject({ status: 415, body: '' })
    expect(answer).not.toHaveBeenCalled()
  },
)

test.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json ;x=y'])(
  'accepts %s as JSON',
  async (type) => {
    expect(await send({ headers: { 'content-type': type } })).toMatchObject({ status: 200 })
  },
)

test.each<[string, Sent]>([
  ['null', { body: 'null' }],
  ['a list', { body: '[]' }],
  ['sixteen thousand levels', { body: '['.repeat(16_000) }],
  ['no type', { body: call('overview', { type: undefined }) }],
  ['the type of an answer', { body: call('overview', { type: 'server-response' }) }],
  ['a number for an id', { body: call('overview', { rpcId: 7 }) }],
  ['no method', { body: call('overview', { method: undefined }) }],
  ['another method than the path', { body: call('start') }],
  ['a path that is the channel alone', { path: '/plugmark' }],
  ['a path with more', { path: '/plugmark/overview/' }],
  ['a path with a query', { path: '/plugmark/overview?token=x' }],
  ['a path of another spelling', { path: '/plugmark/%6fverview' }],
  ['a path that is no address', { path: '//' }],
])('does not accept %s as a call', async (_, sent) => {
  expect(await send(sent)).toMatchObject({ status: 400, body: '' })
  expect(answer).not.toHaveBeenCalled()
})

test('limits a body without a content length while it arrives, and keeps the connection open', async () => {
  const chunk = Buffer.alloc(1024 * 1024, 'x')
  const out = open()
  for (let i = 0; i < 8; i++) out.write(chunk)
  out.end()
  const [response] = (await once(out, 'response')) as [IncomingMessage]
  expect(response.statusCode).toBe(413)
  response.resume()
  expect(answer).not.toHaveBeenCalled()
})

test('runs nothing for a client that disconnects in the middle of its call', async () => {
  const asked = Promise.withResolvers<ServerResponse>()
  server.prependListener('request', (_, response) => asked.resolve(response))
  const out = open({ headers: { ...JSON_TYPE, 'content-length': '500' } })
  out.on('error', () => {})
  out.write('{"type":')
  const response = await asked.promise
  out.destroy()
  await once(response, 'close')
  expect(answer).not.toHaveBeenCalled()
})

test('ends the wait of a client that disconnects', async () => {
  const waits = Promise.withResolvers<AbortSignal>()
  answer.mockImplementation(async (_, __, signal) => {
    waits.resolve(signal)
    await once(signal, 'abort')
    return { ok: true, value: null }
  })
  const out = open()
  out.on('error', () => {})
  out.end(call())
  const signal = await waits.promise
  out.destroy()
  if (!signal.aborted) await once(signal, 'abort')
})

test.each<[string, () => void]>([
  ['an answer that fails', () => answer.mockRejectedValue(new Error('secret'))],
  ['an answer that is no JSON', () => answer.mockResolvedValue({ ok: true, value: 1n })],
  [
    'a check that fails',
    () =>
      rejection.mockImplementation(() => {
        throw new Error('secret')
      }),
  ],
])('reports %s to the page only by the status, and writes it to the log', async (_, break_) => {
  break_()
  expect(await send()).toMatchObject({ status: 500, body: '' })
  expect(onFault).toHaveBeenCalledOnce()
})

test('registers no route without the harness’s check, and refuses everybody if the check disappears', async () => {
  expect(() => serveRoute(contextOf({}), '/plugmark', answer, onFault)).toThrow('cannot check')
  const connection: Partial<Connection> = { requestRejection: () => undefined }
  serveRoute(contextOf(connection), '/plugmark', answer, onFault)
  delete (connection as { requestRejection?: unknown }).requestRejection
  expect(await send()).toMatchObject({ status: 500 })
  expect(answer).not.toHaveBeenCalled()
})
