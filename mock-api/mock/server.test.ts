import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EXPECTED_OUTCOMES, probeFetch } from './expected-outcomes.ts'
import { FAULTS } from './faults.ts'
import { type MockServer, startMockServer } from './server.ts'

let server: MockServer
let port: number
beforeAll(async () => {
  server = await startMockServer()
  port = Number(new URL(server.url).port)
})
afterAll(() => server.close())

/** Sends bytes over a socket. Returns status, headers in lower case, and the body as JSON. */
async function send(request: string) {
  const socket = connect(port, '127.0.0.1')
  socket.write(request)
  const [head = '', ...body] = (await text(socket)).split('\r\n\r\n')
  const [, status] = head.split(' ')
  const json = JSON.parse(body.join('\r\n\r\n'))
  return { status: Number(status), head: head.toLowerCase(), json }
}

describe('the stand-alone server', () => {
  test.for([
    ['HTTP/1.0 without a host', 'GET /api/v1/index HTTP/1.0\r\n\r\n'],
    ['HTTP/1.1 without a host', 'GET /api/v1/index HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['an empty host', 'GET /api/v1/index HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n'],
  ] as const)('takes its own address as its site for a request in %s', async ([, request]) => {
    const { status, json } = await send(request)
    expect([status, json.site]).toEqual([200, server.url])
  })

  test.for(['http://127.0.0.1:PORT', 'http://directory.test', 'https://directory.test:8443'])(
    'takes %s as its site when a request has an absolute address',
    async (site) => {
      const origin = site.replace('PORT', String(port))
      const host = 'Host: elsewhere.test\r\nConnection: close'
      const index = await send(`GET ${origin}/api/v1/index HTTP/1.1\r\n${host}\r\n\r\n`)
      expect([index.status, index.json.site]).toEqual([200, origin])
      const plugins = await send(`GET ${origin}/api/v1/plugins?limit=1 HTTP/1.1\r\n${host}\r\n\r\n`)
      expect(plugins.json.results[0].url).toContain(`${origin}/plugins/`)
    },
  )

  test.for([
    ['a host with a user', 'GET /api/v1/index HTTP/1.0\r\nHost: user@host\r\n'],
    ['a host with a password', 'GET /api/v1/index HTTP/1.0\r\nHost: user:secret@host\r\n'],
    ['an address with credentials', 'GET http://user:secret@host/api/v1/index HTTP/1.0\r\nHost: host\r\n'],
    ['a host that is not one', 'GET /api/v1/index HTTP/1.0\r\nHost: [\r\n'],
    ['an address without a host', 'GET http:// HTTP/1.0\r\nHost: host\r\n'],
    ['an address of another protocol', 'GET javascript:alert(1) HTTP/1.0\r\nHost: host\r\n'],
  ] as const)('answers %s with an error, and keeps serving', async ([, request]) => {
    const { status, json } = await send(`${request}\r\n`)
    expect(status).toBeOneOf([400, 404])
    expect(json.error).toMatch(/\S/)
    expect((await fetch(`${server.url}/api/v1/index`)).status).toBe(200)
  })

  test('serves the API at its root only', async () => {
    for (const path of ['/x/api/v1/index', '/x/api/v1/plugins?mock-fault=html', '/api/v1/index/', '//api/v1/index'])
      expect((await fetch(server.url + path)).status, path).toBe(404)
  })

  test.for([20_000, 200_000, 2_000_000])(
    'responds to a q of %i characters with an error that every origin may read',
    async (length) => {
      const response = await fetch(`${server.url}/api/v1/plugins?q=${'a'.repeat(length)}`)
      expect(response.status).toBe(431)
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      expect((await response.json()).error).toMatch(/shorter/)
    },
  )

  test('responds with an error to input that is not HTTP', async () => {
    const { status, head, json } = await send('HELLO\r\n\r\n')
    expect(status).toBe(400)
    expect(head).toContain('access-control-allow-origin: *')
    expect(json.error).toMatch(/cannot be read/)
  })

  test('shows a fault to the request that asked for it alone, among fifty at a time', async () => {
    // Browsers alone look at CORS headers. A hang would hold its connection until the end.
    const wanted = [...FAULTS.filter((fault) => fault !== 'hang' && fault !== '500-no-cors'), null]
    const outcomes = Array.from({ length: 50 }, async (_, number) => {
      const fault = wanted[number % wanted.length] ?? null
      const query = fault === null ? '' : `?mock-fault=${fault === 'slow' ? 'slow:300' : fault}`
      const outcome = await probeFetch([`${server.url}/api/v1/index${query}`, 60_000, fault === 'slow' ? 300 : 60_000])
      return [fault, outcome, fault === null ? 'answer' : EXPECTED_OUTCOMES[fault].server]
    })
    for (const [fault, outcome, expected] of await Promise.all(outcomes)) expect(outcome, `${fault}`).toBe(expected)
  })

  test('closes while a caller keeps a rejected connection open', async () => {
    const other = await startMockServer()
    const socket = connect({ port: Number(new URL(other.url).port), host: '127.0.0.1', allowHalfOpen: true })
    socket.on('error', () => {})
    socket.write('HELLO\r\n\r\n')
    await once(socket.resume(), 'end')
    await other.close()
    socket.destroy()
  })
})
