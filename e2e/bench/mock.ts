import { spawn } from 'node:child_process'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { performance } from 'node:perf_hooks'
import { createInterface } from 'node:readline/promises'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { createCatalogue, EMBEDDED_REPOSITORIES, generate } from '@plugmark/mock-api'
import { startMockServer } from '@plugmark/mock-api/node'
import { median } from './median.ts'
import type { Bench, BenchRow } from './types.ts'

/** Listings of the live directory when the targets were set. */
const LISTINGS = 3417
const ROUNDS = 200
const STARTS = 5
const CLI = fileURLToPath(new URL('../../mock-api/cli.ts', import.meta.url))

interface Reply {
  readonly bytes: Buffer
  readonly coding: string | undefined
}

/** One GET over a new connection, as wide as it is long: from before the request to the last byte. */
function get(url: string, coding: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    request(url, { headers: { 'accept-encoding': coding }, agent: false }, async (response) => {
      resolve({ bytes: await buffer(response), coding: response.headers['content-encoding'] })
    })
      .on('error', reject)
      .end()
  })
}

/** Median time of a GET, ms, and the last reply. The first tenth warms up and does not count. */
async function timed(url: (round: number) => string, coding: string): Promise<{ ms: number; reply: Reply }> {
  const times: number[] = []
  let reply: Reply | undefined
  for (let i = 0; i < ROUNDS * 1.1; i++) {
    const start = performance.now()
    reply = await get(url(i), coding)
    if (i >= ROUNDS * 0.1) times.push(performance.now() - start)
  }
  return { ms: median(times), reply: reply! }
}

/** The least a node:http server takes to send a body of this size. */
async function floor(bytes: Buffer): Promise<number> {
  const server = createServer((_, response) => response.writeHead(200, { 'content-length': bytes.length }).end(bytes))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const { ms } = await timed(() => address, 'identity')
  server.close()
  return ms
}

async function answers(): Promise<BenchRow[]> {
  const repositories = [...EMBEDDED_REPOSITORIES]
  const missing = LISTINGS - createCatalogue({ repositories }).listings.length
  const server = await startMockServer({
    catalogue: createCatalogue({ repositories: [...repositories, ...generate(missing)] }),
  })
  try {
    const index = `${server.url}/api/v1/index`
    const size = (await get(index, 'br')).bytes.length
    const rows: BenchRow[] = [{ what: `index of ${LISTINGS} rows, brotli`, value: size, unit: 'bytes', target: 60_000 }]
    const plugins = `${server.url}/api/v1/plugins`
    const cases = [
      { what: 'index', target: 5, path: () => index },
      { what: 'page of plugins', target: 3, path: () => `${plugins}?limit=96&page=7` },
      { what: 'search', target: 3, path: (round: number) => `${plugins}?limit=24&q=${100 + round}` },
    ]
    for (const { what, path, target } of cases) {
      const { ms, reply } = await timed(path, 'br')
      if (reply.coding !== 'br') throw new Error(`${what}: answered without brotli`)
      const against = { what: 'node:http with the same bytes', value: await floor(reply.bytes) }
      rows.push({ what, value: ms, unit: 'ms', target, against })
    }
    return rows
  } finally {
    await server.close()
  }
}

/** From starting a process to its first line, ms. */
async function firstLine(args: readonly string[]): Promise<number> {
  const start = performance.now()
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const exit = new Promise((resolve) => child.once('exit', resolve))
  const { value: line } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()
  const ms = performance.now() - start
  child.kill('SIGTERM')
  await exit
  if (line === undefined) throw new Error(`node ${args.join(' ')} printed nothing`)
  return ms
}

async function start(): Promise<BenchRow> {
  const times: number[] = []
  const bare: number[] = []
  const script =
    "require('node:http').createServer().listen(0, () => console.log('listening')); process.on('SIGTERM', () => process.exit())"
  for (let i = 0; i < STARTS; i++) {
    times.push(await firstLine([CLI, '--port', '0', '--size', '20000']))
    bare.push(await firstLine(['-e', script]))
  }
  const against = { what: 'an empty node:http server', value: median(bare) }
  return { what: 'start to listening, 20,000 listings', value: median(times), unit: 'ms', target: 500, against }
}

export default {
  name: 'mock',
  run: async () => [...(await answers()), await start()],
} satisfies Bench
