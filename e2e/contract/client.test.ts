/** The shared client against the stand-alone server: as the contract has it, as the live service is, and broken. */

import { createCatalogue, type Fault, type FaultName, faultHandler, generate, INVENTED_ROWS } from '@plugmark/mock-api'
import { type MockServer, startMockServer } from '@plugmark/mock-api/node'
import { createDirectoryClient, type DirectoryErrorKind } from '@plugmark/shared/client'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { violations } from './conform.ts'
import { catalogue as expectedCatalogue } from './oracle.ts'

vi.setConfig({ testTimeout: 60_000 })

const rows = [...INVENTED_ROWS, ...generate(260, 3)]
const catalogue = createCatalogue({ rows })
const expected = expectedCatalogue(rows)
const names = (listings: readonly { fullName: string }[]) => listings.map(({ fullName }) => fullName).sort()

/** A fetch that lets nothing pass that openapi.yaml does not allow, and counts what is under way. */
function watchedFetch(parts: 'all' | 'body') {
  const watch = { most: 0, now: 0 }
  const watched: typeof fetch = async (input, init) => {
    watch.most = Math.max(watch.most, ++watch.now)
    try {
      const request = new Request(input, init)
      const response = await fetch(request)
      expect(await violations(request, response, parts)).toEqual([])
      return response
    } finally {
      watch.now--
    }
  }
  return Object.assign(watch, { fetch: watched })
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

describe.each([
  { title: 'the contract', quirks: {}, recordVerdicts: true },
  { title: 'the contract, records without verdicts', quirks: {}, recordVerdicts: false },
  { title: 'the live service', quirks: { quirks: 'live' as const }, recordVerdicts: true },
  { title: 'the live service, records without verdicts', quirks: { quirks: 'live' as const }, recordVerdicts: false },
])('$title', ({ quirks, recordVerdicts }) => {
  const isLive = 'quirks' in quirks
  const watch = watchedFetch(isLive ? 'body' : 'all')
  let server: MockServer
  let client: ReturnType<typeof createDirectoryClient>
  beforeAll(async () => {
    server = await startMockServer({ catalogue, recordVerdicts, ...quirks })
    client = createDirectoryClient({ baseUrl: server.url, fetch: watch.fetch })
  })
  afterAll(() => server.close())

  test('plugins gives the page that was asked for', async () => {
    const first = await client.plugins({ limit: 24 })
    const second = await client.plugins({ limit: 24, page: 2 })
    expect(first.total).toBe(expected.length)
    expect([first.received, second.received]).toEqual([24, 24])
    expect(new Set(names([...first.records, ...second.records])).size).toBe(48)
    const stars = [...first.records, ...second.records].map((record) => record.stars)
    expect(stars).toEqual(expected.slice(0, 48).map((listing) => listing.stars))
  })

  /** The listings on the server's pages. On the live service, ties at the edge of a page keep some from every page. */
  async function onPages() {
    const found = new Set<string>()
    for (let page = 1; ; page++) {
      const { results } = await (await fetch(`${server.url}/api/v1/plugins?limit=96&page=${page}`)).json()
      if (results.length === 0) return expected.filter(({ fullName }) => found.has(fullName))
      for (const { fullName } of results) found.add(fullName)
    }
  }

  test('allPlugins gives every listing of the pages once, one request at a time', async () => {
    watch.most = 0
    expect(names(await collect(client.allPlugins()))).toEqual(names(await onPages()))
    expect(watch.most).toBe(1)
    const dev = expected.filter(({ category }) => category === 'dev')
    expect(names(await collect(client.allPlugins({ category: 'dev' })))).toEqual(names(dev))
    expect((await onPages()).length === expected.length).toBe(!isLive)
  })

  test('plugin finds one listing, its repository in any case, and nothing for a part of a name', async () => {
    for (const fullName of ['lanternworks/dsh-plugin-harbor-notes', 'brasswork/workshop#packages/dice']) {
      const inCapitals = fullName.replace(/^[^#]*/, (repository) => repository.toUpperCase())
      expect((await client.plugin(inCapitals))?.fullName).toBe(fullName)
    }
    expect(await client.plugin('brasswork/workshop#packages/DICE')).toBeNull()
    expect(await client.plugin('lanternworks/dsh-plugin')).toBeNull()
    expect(await client.plugin('brasswork/workshop')).toBeNull()
  })

  test('verifiedPlugins gives those that passed, and none where that cannot be known', async () => {
    const verified = await collect(client.verifiedPlugins())
    const listings = isLive ? await onPages() : expected
    const passed = listings.filter(({ verdict }) => verdict === 'passed')
    const knowable = recordVerdicts || !isLive
    expect(names(verified.map(({ record }) => record))).toEqual(knowable ? names(passed) : [])
    const grounds = new Set(verified.map(({ by }) => by))
    expect([...grounds]).toEqual(knowable ? [recordVerdicts ? 'record' : 'server-filter'] : [])
    expect(server.requests.some(({ path }) => path.includes('installCheck=passed'))).toBe(true)
  })

  test('index gives the whole catalogue', async () => {
    const { count, site, fields, plugins } = await client.index()
    expect({ count, site, rows: plugins.length }).toEqual({
      count: expected.length,
      site: server.url,
      rows: expected.length,
    })
    expect(fields).toEqual(['fullName', 'category', 'install', 'path', 'npm'])
  })
})

describe('faults', () => {
  /** The error of the client for each; null where it answers. */
  const KINDS: Record<FaultName, DirectoryErrorKind | null> = {
    '500': 'http',
    '500-no-cors': 'http',
    busy: 'http',
    hang: 'timeout',
    reset: 'network',
    malformed: 'invalid',
    cut: 'network',
    html: 'invalid',
    slow: null,
    'redirect-loop': 'network',
    oversize: 'invalid',
    'no-content': 'invalid',
  }
  let server: MockServer
  beforeAll(async () => {
    server = await startMockServer({ catalogue })
  })
  afterEach(() => server.resetHandlers())
  afterAll(() => server.close())

  test.for(Object.entries(KINDS) as [FaultName, DirectoryErrorKind | null][])('%s → %s', async ([fault, kind]) => {
    server.use(faultHandler(fault === 'slow' ? 'slow:50' : fault))
    const client = createDirectoryClient({
      baseUrl: server.url,
      retries: 0,
      timeoutMs: fault === 'hang' ? 300 : 30_000,
    })
    const calls = {
      plugins: () => client.plugins(),
      allPlugins: () => collect(client.allPlugins({ category: 'theme' })),
      plugin: () => client.plugin('lanternworks/dsh-plugin-harbor-notes'),
      verifiedPlugins: () => collect(client.verifiedPlugins({ category: 'theme' })),
      index: () => client.index(),
    }
    const outcome = async (call: () => Promise<unknown>) => {
      try {
        await call()
        return null
      } catch (error) {
        const { name, kind, status, message } = error as { name: string; kind: string; status: number; message: string }
        expect(name).toBe('DirectoryError')
        expect(message).toContain(server.url)
        if (kind === 'http') expect(status).toBe(fault === 'busy' ? 503 : 500)
        return kind
      }
    }
    for (const [name, call] of Object.entries(calls)) expect(await outcome(call), name).toBe(kind)
  })

  test('an answer that is later than the time limit is a timeout', async () => {
    server.use(faultHandler('slow:5000'))
    const client = createDirectoryClient({ baseUrl: server.url, retries: 0, timeoutMs: 200 })
    await expect(client.index()).rejects.toMatchObject({ kind: 'timeout' })
  })

  test.for<Fault>(['500', 'reset', 'cut'])('%s once passes unnoticed', async (fault) => {
    server.use(faultHandler(fault, { once: true }))
    const before = server.requests.length
    const client = createDirectoryClient({ baseUrl: server.url })
    expect((await client.index()).count).toBe(expected.length)
    expect(server.requests.length - before).toBe(2)
  })
})
