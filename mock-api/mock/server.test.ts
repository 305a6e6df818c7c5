import { isRiskFlag } from '@plugmark/shared/contract'
import { HttpResponse, http } from 'msw'
import { afterEach, describe, expect, test } from 'vitest'
import { EXPECTED_OUTCOMES, probeFetch } from './expected-outcomes-testing.ts'
import { embeddedCatalogue, FAULTS, faultHandler } from './index.ts'
import { type MockServer, type MockServerOptions, startMockServer } from './server.ts'

const started: MockServer[] = []
async function start(options?: MockServerOptions): Promise<MockServer> {
  const server = await startMockServer(options)
  started.push(server)
  return server
}
afterEach(async () => {
  for (const server of started.splice(0)) await server.close()
})

describe('startMockServer', () => {
  test('serves the embedded catalogue on a free port, with its own address in the records', async () => {
    const [one, other] = [await start(), await start()]
    expect(one.url).not.toBe(other.url)
    const { site, count } = await (await fetch(`${one.url}/api/v1/index`)).json()
    expect([site, count]).toEqual([one.url, one.catalogue.listings.length])
  })

  test('rejects when the port is taken', async () => {
    const { url } = await start()
    await expect(startMockServer({ port: Number(new URL(url).port) })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })

  test('records the requests that it received', async () => {
    const server = await start()
    await fetch(`${server.url}/api/v1/plugins?installCheck=passed&q=%E4%BC%9A`, { headers: { 'x-tried': 'yes' } })
    expect(server.requests).toEqual([
      expect.objectContaining({ method: 'GET', path: '/api/v1/plugins?installCheck=passed&q=%E4%BC%9A' }),
    ])
    expect(server.requests[0]?.headers['x-tried']).toBe('yes')
  })

  test('answers with added handlers and faults before its own, until they are removed', async () => {
    const server = await start({ fault: 'busy' })
    const status = async () => (await fetch(`${server.url}/api/v1/index`)).status
    expect(await status()).toBe(503)
    server.use(http.get('*/api/v1/index', () => HttpResponse.json({ plugins: 'hostile' })))
    expect(await status()).toBe(200)
    server.use(faultHandler('500', { once: true }))
    expect([await status(), await status()]).toEqual([500, 200])
    server.resetHandlers()
    expect(await status()).toBe(503)
  })

  test('leaves verdicts out when the option says so', async () => {
    const { url } = await start({ recordVerdicts: false })
    const { results } = await (await fetch(`${url}/api/v1/plugins`)).json()
    for (const field of ['installCheck', 'installCheckedAt', 'blockedBuilds'])
      expect(results[0]).not.toHaveProperty(field)
    expect(results[0]).toHaveProperty('inRegistry')
  })

  test('serves a page that names the listing, for each listing that has one', async () => {
    const { url } = await start()
    const { results } = await (await fetch(`${url}/api/v1/plugins?limit=100`)).json()
    const onServer = results.filter((record: { url: string }) => record.url.startsWith(url))
    expect(onServer.length).toBeGreaterThan(60)
    for (const { fullName, url: address } of onServer) {
      const page = await fetch(address)
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      expect(await page.text()).toContain(`<h1>${fullName}</h1>`)
    }
    expect((await fetch(`${url}/plugins/nothing-of-that-name`)).status).toBe(404)
  })

  test('escapes text of the catalogue in a page', async () => {
    const evil = '<img src=x onerror=alert(1)>'
    const invented = embeddedCatalogue()
    const { record, ...rest } = invented.listings.find(({ path }) => path !== null)!
    const listing = { ...rest, record: { ...record, fullName: `a/b#${evil}`, summary: evil } }
    const { url } = await start({ catalogue: { ...invented, listings: [listing] } })
    const text = await (await fetch(url + listing.path)).text()
    expect(text).not.toContain('<img')
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;')
  })

  test('shows a fault to the request that asked for it alone, among fifty at a time', async () => {
    const server = await start()
    // A hang would hold its connection until the end.
    const wanted = [...FAULTS.filter((fault) => fault !== 'hang'), null]
    const outcomes = Array.from({ length: 50 }, async (_, number) => {
      const fault = wanted[number % wanted.length] ?? null
      const query = fault === null ? '' : `?mock-fault=${fault === 'slow' ? 'slow:300' : fault}`
      const outcome = await probeFetch(`${server.url}/api/v1/index${query}`, 60_000, fault === 'slow' ? 300 : 60_000)
      return [fault, outcome, fault === null ? 'answer' : EXPECTED_OUTCOMES[fault]]
    })
    for (const [fault, outcome, expected] of await Promise.all(outcomes)) expect(outcome, `${fault}`).toBe(expected)
  })

  test('closes while a request hangs', async () => {
    const server = await startMockServer({ fault: 'hang' })
    const hanging = fetch(`${server.url}/api/v1/index`).catch(() => 'broken off')
    while (server.requests.length === 0) await new Promise(setImmediate)
    await server.close()
    expect(await hanging).toBe('broken off')
  })
})

describe("quirks: 'live'", () => {
  test('keeps a page from reading the ETag, from sending a header, and from reading a 500', async () => {
    const { url } = await start({ quirks: 'live' })
    const answer = await fetch(`${url}/api/v1/index`)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-expose-headers')).toBeNull()
    const preflight = await fetch(`${url}/api/v1/index`, { method: 'OPTIONS' })
    expect(preflight.headers.get('access-control-allow-headers')).toBeNull()
    const broken = await fetch(`${url}/api/v1/plugins?page=1.3`)
    expect(broken.status).toBe(500)
    expect(broken.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('the quirks of the live directory repeat rows across pages, and add newer risk flags to records', async () => {
    const { url, catalogue } = await start({ quirks: 'live' })
    const pages = [1, 2, 3, 4].map(async (page) => (await fetch(`${url}/api/v1/plugins?limit=24&page=${page}`)).json())
    const records: { fullName: string; riskFlags: string[] }[] = (await Promise.all(pages)).flatMap((p) => p.results)
    expect(records).toHaveLength(catalogue.listings.length)
    expect(new Set(records.map(({ fullName }) => fullName)).size).toBeLessThan(records.length)
    expect(records.flatMap(({ riskFlags }) => riskFlags).some((flag) => !isRiskFlag(flag))).toBe(true)
  })

  test('the quirks of the live directory are absent by default', async () => {
    const { url } = await start()
    expect((await fetch(`${url}/api/v1/index`)).headers.get('access-control-expose-headers')).toBe('ETag')
    const { results } = await (await fetch(`${url}/api/v1/plugins?limit=100`)).json()
    expect(results.flatMap(({ riskFlags }: { riskFlags: string[] }) => riskFlags).every(isRiskFlag)).toBe(true)
    expect((await fetch(`${url}/api/v1/plugins?page=1.3`)).status).toBe(200)
  })
})
