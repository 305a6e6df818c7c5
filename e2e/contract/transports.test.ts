/** The four ways of serving the API return the same bodies, and each fault has its expected outcome. */
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import {
  createHandlers,
  EXPECTED_OUTCOMES,
  embeddedCatalogue,
  FAULT_PARAMETER,
  FAULTS,
  probeFetch,
} from '@plugmark/mock-api'
import { type MockServer, startMockServer } from '@plugmark/mock-api/node'
import { routeApi } from '@plugmark/mock-api/playwright'
import { setupServer } from 'msw/node'
import type { Browser, Page } from 'playwright'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { launchBrowser } from './browser.ts'

vi.setConfig({ testTimeout: 60_000 })

const ORIGIN = 'https://directory.test'
/** The page has the same, at the same time. */
const catalogue = embeddedCatalogue({ site: ORIGIN, generated: '2026-08-24T06:00:00.000Z' })
const PATHS = [
  '/api/v1/index',
  '/api/v1/plugins',
  '/api/v1/plugins?limit=24&page=2&category=ui',
  `/api/v1/plugins?q=${encodeURIComponent('会话')}&installCheck=passed`,
  '/api/v1/plugins?page=99',
  '/api/v1/nothing',
]

/** Serves a page with MSW's worker, whose script comes from its package, and a plain one of the same origin. */
async function startPages(): Promise<Server> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      target: 'esnext',
      rolldownOptions: { input: fileURLToPath(new URL('worker-page.ts', import.meta.url)) },
    },
  })
  const [output] = [built].flat()
  if (output === undefined || !('output' in output)) throw new Error('vite built nothing')
  const files: Record<string, [type: string, text: string]> = {
    '/plain': ['text/html', '<!doctype html>'],
    '/': ['text/html', '<!doctype html><meta charset=utf-8><script type=module src=/page.js></script>'],
    '/page.js': ['text/javascript', output.output[0].code],
    '/mockServiceWorker.js': [
      'text/javascript',
      await readFile(fileURLToPath(import.meta.resolve('msw/mockServiceWorker.js')), 'utf8'),
    ],
  }
  const server = createServer((request, response) => {
    const [type, text] = files[request.url ?? '/'] ?? ['text/plain', '']
    response.writeHead(text === '' ? 404 : 200, { 'content-type': type }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const bodiesIn = (page: Page, base: string) =>
  page.evaluate(
    (addresses) => Promise.all(addresses.map(async (address) => (await fetch(address)).text())),
    PATHS.map((path) => base + path),
  )

let browser: Browser
let server: MockServer
let pages: Server

beforeAll(async () => {
  ;[browser, server, pages] = await Promise.all([launchBrowser(), startMockServer({ catalogue }), startPages()])
})
afterAll(async () => {
  await Promise.all([browser.close(), server.close()])
  pages.close()
})

test('setupServer, setupWorker, the route adapter and the stand-alone server return the same bodies', async () => {
  const node = setupServer(...createHandlers({ catalogue, baseUrl: ORIGIN }))
  node.listen({ onUnhandledFrame: 'bypass' })
  const inNode = await Promise.all(PATHS.map(async (path) => (await fetch(ORIGIN + path)).text()))
  const standAlone = await Promise.all(PATHS.map(async (path) => (await fetch(server.url + path)).text()))
  node.close()

  const routed = await browser.newPage()
  await routeApi(routed, { baseUrl: ORIGIN, catalogue })
  await routed.goto(`${addressOf(pages)}/plain`)
  const inRoute = await bodiesIn(routed, ORIGIN)

  const page = await browser.newPage()
  await page.goto(addressOf(pages))
  await page.waitForFunction(() => document.title === 'ready')
  const inWorker = await bodiesIn(page, ORIGIN)

  expect(JSON.parse(inNode[0]!).count).toBe(catalogue.listings.length)
  expect(standAlone).toEqual(inNode)
  expect(inRoute).toEqual(inNode)
  expect(inWorker).toEqual(inNode)
  await Promise.all([routed.close(), page.close()])
})

describe('faults as a page of another origin sees them', () => {
  let page: Page
  beforeAll(async () => {
    page = await browser.newPage()
    await routeApi(page, { baseUrl: ORIGIN, catalogue })
    await page.goto(`${addressOf(pages)}/plain`)
  })

  test.for(FAULTS)('%s', async (fault) => {
    const asked = fault === 'slow' ? 'slow:80' : fault
    const patience = fault === 'hang' ? 300 : 20_000
    const look = (base: string) =>
      page.evaluate(probeFetch, [`${base}/api/v1/index?${FAULT_PARAMETER}=${asked}`, patience, 75] as const)
    expect({ route: await look(ORIGIN), server: await look(server.url) }).toEqual({
      route: EXPECTED_OUTCOMES[fault].route,
      server: EXPECTED_OUTCOMES[fault].server,
    })
  })
})
