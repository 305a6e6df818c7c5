import { type IncomingHttpHeaders, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { type MockServer, startMockServer } from '@plugmark/mock-api/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violations } from './conform.ts'

interface Wire {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

const DECODERS = { br: brotliDecompressSync, gzip: gunzipSync }

/** Fails when openapi.yaml does not allow what came over the wire. */
async function allowed(url: string, method: string, { status, headers, body }: Wire): Promise<void> {
  const decode = DECODERS[headers['content-encoding'] as keyof typeof DECODERS] ?? ((bytes: Buffer) => bytes)
  const text = method === 'HEAD' ? null : decode(body).toString()
  const response = new Response(text, { status, headers: headers as Record<string, string> })
  expect(await violations({ method, url }, response), `${method} ${url} breaks openapi.yaml`).toEqual([])
}

/** Asks over a socket, without what fetch does to an answer. */
function wire(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Wire> {
  return new Promise((resolve, reject) => {
    request(url, { method, headers, agent: false }, async (response) => {
      const body = await buffer(response)
      resolve({ status: response.statusCode!, headers: response.headers, body })
    })
      .on('error', reject)
      .end()
  })
}

let server: MockServer
let url: string
beforeAll(async () => {
  server = await startMockServer()
  url = server.url
})
afterAll(() => server.close())

test('the stand-alone server codes what the caller accepts, and the text is the same', async () => {
  for (const path of ['/api/v1/index', '/api/v1/plugins']) {
    const plain = await wire(url + path, { 'accept-encoding': 'br;q=0, identity' })
    const brotli = await wire(url + path, { 'accept-encoding': 'gzip, br' })
    const gzip = await wire(url + path, { 'accept-encoding': 'gzip, deflate' })
    const codings = [plain, brotli, gzip].map(({ headers }) => headers['content-encoding'])
    expect(codings).toEqual([undefined, 'br', 'gzip'])
    for (const answer of [plain, brotli, gzip]) await allowed(url + path, 'GET', answer)
    expect(brotliDecompressSync(brotli.body)).toEqual(plain.body)
    expect(gunzipSync(gzip.body)).toEqual(plain.body)
    expect(brotli.body.length).toBeLessThan(plain.body.length / 3)
    for (const { headers, body } of [plain, brotli, gzip]) expect(Number(headers['content-length'])).toBe(body.length)
  }
})

test('the stand-alone server answers HEAD with the headers of GET', async () => {
  const accept = { 'accept-encoding': 'gzip' }
  const get = await wire(`${url}/api/v1/plugins`, accept)
  const head = await wire(`${url}/api/v1/plugins`, accept, 'HEAD')
  expect(head.body).toHaveLength(0)
  await allowed(`${url}/api/v1/plugins`, 'HEAD', head)
  for (const name of ['content-length', 'content-encoding', 'etag', 'cache-control']) {
    expect(head.headers[name], name).toBe(get.headers[name])
  }
})

test('the stand-alone server has a JSON error, open to every origin, for anything else', async () => {
  const asked = [
    [404, await wire(`${url}/`)],
    [404, await wire(`${url}/plugins/some-slug`)],
    [404, await wire(`${url}/x/api/v1/index`)],
    [405, await wire(`${url}/api/v1/index`, {}, 'DELETE')],
    [405, await wire(`${url}/api/v1/index`, {}, 'TRACE')],
    [400, await wire(`${url}/api/v1/index`, { host: 'no host' })],
    [431, await wire(`${url}/api/v1/plugins?q=${'a'.repeat(20_000)}`)],
  ] as const
  for (const [status, answer] of asked) {
    expect(answer.status).toBe(status)
    expect(answer.headers['access-control-allow-origin']).toBe('*')
    expect(JSON.parse(answer.body.toString())).toEqual({ error: expect.any(String) })
  }
})
