import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { embeddedCatalogue } from '../invented/invented.ts'
import { createApi } from './api.ts'
import { type DirectoryServer, negotiateEncoding, startServer } from './server.ts'

let server: DirectoryServer
const start = () => {
  const respond = createApi({ catalogue: embeddedCatalogue() })
  return startServer({ port: 0, host: '127.0.0.1', createRespond: () => respond })
}
beforeAll(async () => {
  server = await start()
})
afterAll(() => server.close())

/** Sends a request as it is, without the headers that fetch adds. */
const ask = (path: string, method: string, headers: Record<string, string>) =>
  new Promise<{ status: number; etag: unknown; encoding: unknown; length: number }>((resolve, reject) => {
    request(server.url + path, { method, headers, agent: false }, async (response) => {
      const { etag, 'content-encoding': encoding } = response.headers
      resolve({ status: response.statusCode!, etag, encoding, length: (await buffer(response)).length })
    })
      .on('error', reject)
      .end()
  })

/** Sends bytes over a socket. Returns status, headers in lower case, and the body as JSON. */
async function send(request: string) {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
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
      const origin = site.replace('PORT', new URL(server.url).port)
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
    for (const path of ['/x/api/v1/index', '/x/api/v1/plugins?page=2', '/api/v1/index/', '//api/v1/index'])
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

  test('closes while a caller keeps a rejected connection open', async () => {
    const other = await start()
    const socket = connect({ port: Number(new URL(other.url).port), host: '127.0.0.1', allowHalfOpen: true })
    socket.on('error', () => {})
    socket.write('HELLO\r\n\r\n')
    await once(socket.resume(), 'end')
    await other.close()
    socket.destroy()
  })
})

test.for([
  ['OPTIONS', '*', 204],
  ['OPTIONS', 'PAGE', 204],
  ['POST', 'PAGE', 405],
  ['DELETE', 'PAGE', 405],
  ['HEAD', 'PAGE', 200],
  ['POST', '/plugins/unknown', 404],
] as const)('answers %s %s with %i', async ([method, path, expected]) => {
  const page = embeddedCatalogue().listings.find((listing) => listing.path !== null)!.path!
  const target = path === 'PAGE' ? page : path
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.write(`${method} ${target} HTTP/1.1\r\nHost: directory.test\r\nConnection: close\r\n\r\n`)
  const answer = await text(socket)
  expect(Number(answer.split(' ')[1])).toBe(expected)
  if (expected === 405 || expected === 204) expect(answer.toLowerCase()).toContain('allow: get, head, options')
})

test('answers an address again with the same bytes, and another one with its own', async () => {
  const get = async (path: string, encoding: string) =>
    (await fetch(server.url + path, { headers: { 'accept-encoding': encoding } })).text()
  for (const path of ['/api/v1/index', '/api/v1/plugins?limit=2', '/api/v1/plugins?limit=2&page=2'])
    for (const encoding of ['br', 'gzip', 'identity']) {
      const first = await get(path, encoding)
      expect(await get(path, encoding)).toBe(first)
      expect(JSON.parse(first).plugins?.length ?? JSON.parse(first).results.length).toBeGreaterThan(0)
    }
  const pages = await Promise.all([1, 2].map((page) => get(`/api/v1/plugins?limit=2&page=${page}`, 'br')))
  expect(pages[0]).not.toBe(pages[1])
})

describe.for(['/api/v1/index', '/api/v1/plugins?limit=24'])('If-None-Match of %s', (path) => {
  describe.for(['gzip', 'br', 'identity'])('with the encoding %s', (encoding) => {
    const accept = { 'accept-encoding': encoding }
    test.for(['GET', 'HEAD'])('%s answers 304 to the tag as it is, strong, in a list and as a star', async (method) => {
      const first = await ask(path, method, accept)
      expect([first.status, first.encoding ?? 'identity']).toEqual([200, encoding])
      const etag = String(first.etag)
      expect(etag).toMatch(/^W\/"[^"]+"$/)
      for (const tag of [etag, etag.slice(2), `"another", ${etag}`, `${etag.slice(2)}, W/"another"`, '*']) {
        const again = await ask(path, method, { ...accept, 'if-none-match': tag })
        expect([again.status, again.etag, again.encoding, again.length], tag).toEqual([304, etag, undefined, 0])
      }
      for (const tag of ['"another"', 'W/""', etag.replace('"', '"x')])
        expect((await ask(path, method, { ...accept, 'if-none-match': tag })).status, tag).toBe(200)
    })
  })
})

test.for([
  [undefined, null],
  ['', null],
  ['identity', null],
  ['gzip', 'gzip'],
  ['GZIP;q=0.5, deflate', 'gzip'],
  ['gzip, br', 'br'],
  ['gzip, br;q=0', 'gzip'],
  ['br; q=0.1, gzip;q=1.0', 'gzip'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['identity, gzip;q=0.5', null],
  ['gzip, deflate, br', 'br'],
  ['*', 'br'],
  ['gzip;q=0, br;q=0.0', null],
  ['brotli, xgzip', null],
] as const)('Accept-Encoding %s allows %s', ([accepted, encoding]) => {
  expect(negotiateEncoding(accepted)).toBe(encoding)
})
