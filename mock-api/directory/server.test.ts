import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { embeddedCatalogue } from '../mock/catalogue/embedded.ts'
import { createApi } from './api.ts'
import { type DirectoryServer, negotiateEncoding, startServer } from './server.ts'

let server: DirectoryServer
beforeAll(async () => {
  const respond = createApi({ catalogue: embeddedCatalogue({ site: 'https://directory.example' }) })
  server = await startServer({ port: 0, host: '127.0.0.1', createRespond: () => respond })
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
  ['br; q=0.1, gzip;q=1.0', 'br'],
  ['gzip;q=0, br;q=0.0', null],
  ['brotli, xgzip', null],
] as const)('Accept-Encoding %s allows %s', ([accepted, encoding]) => {
  expect(negotiateEncoding(accepted)).toBe(encoding)
})
