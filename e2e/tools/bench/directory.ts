import { Agent, request } from 'node:http'
import { performance } from 'node:perf_hooks'
import { embeddedCatalogue } from '@plugmark/mock-api'
import { startMockServer } from '@plugmark/mock-api/node'
import { startEdge } from '../../edge/edge.ts'
import type { Bench, BenchRow } from './rows.ts'

/** Requests of one measurement, and how many of them are under way at a time. */
const REQUESTS = 600
const AT_A_TIME = 16

const agent = new Agent({ keepAlive: true, maxSockets: AT_A_TIME })

/** Sends a request as a browser does: again if a busy server closed the connection. @returns bytes of the body */
function ask(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers: { 'accept-encoding': 'gzip' } }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      response.on('end', () => resolve(bytes)).on('error', reject)
    })
    sent.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' ? resolve(ask(url)) : reject(error),
    )
    sent.end()
  })
}

/** Returns the mean time of a request in a stream of them, in ms: 1,000 by it are the requests a second. */
async function meanOf(addressOf: (index: number) => string): Promise<number> {
  let next = 0
  const work = async () => {
    while (next < REQUESTS) await ask(addressOf(next++))
  }
  const from = performance.now()
  await Promise.all(Array.from({ length: AT_A_TIME }, work))
  return (performance.now() - from) / REQUESTS
}

export default {
  name: 'directory: mean time of a request, 16 at a time, client on the same machine',
  needs: ['edge'],
  async run() {
    const rows: BenchRow[] = []
    for (const size of [4_000, 20_000]) {
      const catalogue = embeddedCatalogue({ size })
      const server = await startMockServer({ catalogue })
      const edge = await startEdge(catalogue)
      const firstFrom = performance.now()
      await ask(`${edge.url}/api/v1/index`)
      const first = performance.now() - firstFrom
      const named = (what: string) => `${what}, ${size.toLocaleString('en-US')} listings`
      const compare = async (what: string, addressOf: (url: string, index: number) => string) => {
        const value = await meanOf((index) => addressOf(edge.url, index))
        const node = await meanOf((index) => addressOf(server.url, index))
        rows.push({ what: named(what), value, unit: 'ms', against: { what: 'the Node server', value: node } })
      }
      rows.push({ what: named('worker, first index after an update'), value: first, unit: 'ms' })
      await compare('worker, index from the cache', (url) => `${url}/api/v1/index`)
      await compare('worker, page from the cache', (url) => `${url}/api/v1/plugins?limit=100`)
      await compare('worker, search that is not cached', (url, index) => `${url}/api/v1/plugins?q=notes${index}`)
      rows.push(
        { what: named('index, gzip'), value: await ask(`${server.url}/api/v1/index`), unit: 'bytes' },
        { what: named('page of 100, gzip'), value: await ask(`${server.url}/api/v1/plugins?limit=100`), unit: 'bytes' },
        { what: named('memory of the runtime'), value: await edge.residentBytes(), unit: 'bytes' },
      )
      await edge.close()
      await server.close()
    }
    agent.destroy()
    return rows
  },
} satisfies Bench
