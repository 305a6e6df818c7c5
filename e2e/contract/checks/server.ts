import assert from 'node:assert/strict'
import { type IncomingHttpHeaders, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { violations } from '../conform.ts'
import type { Check, Subject } from '../subject.ts'

interface Wire {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

const DECODERS = { br: brotliDecompressSync, gzip: gunzipSync }

/** Throws when openapi.yaml does not allow what came over the wire. */
async function allowed(url: string, method: string, { status, headers, body }: Wire): Promise<void> {
  const decode = DECODERS[headers['content-encoding'] as keyof typeof DECODERS] ?? ((bytes: Buffer) => bytes)
  const text = method === 'HEAD' ? null : decode(body).toString()
  const response = new Response(text, { status, headers: headers as Record<string, string> })
  assert.deepEqual(await violations({ method, url }, response), [], `${method} ${url} breaks openapi.yaml`)
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

async function withServer({ node }: Subject, use: (url: string) => Promise<void>): Promise<void> {
  const server = await node.startMockServer()
  try {
    await use(server.url)
  } finally {
    await server.close()
  }
}

/** The stand-alone server. */
export const aboutServer: Check[] = [
  {
    name: 'the stand-alone server codes what the caller accepts, and the text is the same',
    run: (subject) =>
      withServer(subject, async (url) => {
        for (const path of ['/api/v1/index', '/api/v1/plugins']) {
          const plain = await wire(url + path, { 'accept-encoding': 'br;q=0, identity' })
          const brotli = await wire(url + path, { 'accept-encoding': 'gzip, br' })
          const gzip = await wire(url + path, { 'accept-encoding': 'gzip, deflate' })
          const codings = [plain, brotli, gzip].map(({ headers }) => headers['content-encoding'])
          assert.deepEqual(codings, [undefined, 'br', 'gzip'])
          for (const answer of [plain, brotli, gzip]) await allowed(url + path, 'GET', answer)
          assert.deepEqual(brotliDecompressSync(brotli.body), plain.body)
          assert.deepEqual(gunzipSync(gzip.body), plain.body)
          assert(brotli.body.length < plain.body.length / 3)
          for (const { headers, body } of [plain, brotli, gzip])
            assert.equal(Number(headers['content-length']), body.length)
        }
      }),
  },
  {
    name: 'the stand-alone server answers HEAD with the headers of GET',
    run: (subject) =>
      withServer(subject, async (url) => {
        const accept = { 'accept-encoding': 'gzip' }
        const get = await wire(`${url}/api/v1/plugins`, accept)
        const head = await wire(`${url}/api/v1/plugins`, accept, 'HEAD')
        assert.equal(head.body.length, 0)
        await allowed(`${url}/api/v1/plugins`, 'HEAD', head)
        for (const name of ['content-length', 'content-encoding', 'etag', 'cache-control']) {
          assert.equal(head.headers[name], get.headers[name], name)
        }
      }),
  },
  {
    name: 'the stand-alone server has a JSON error, open to every origin, for anything else',
    run: (subject) =>
      withServer(subject, async (url) => {
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
          assert.equal(answer.status, status)
          assert.equal(answer.headers['access-control-allow-origin'], '*')
          assert.equal(typeof JSON.parse(answer.body.toString()).error, 'string')
        }
      }),
  },
]
