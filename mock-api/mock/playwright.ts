import { getResponse } from 'msw'
import type { BrowserContext, Page } from 'playwright'
import { embeddedCatalogue } from './catalogue/embedded.ts'
import type { Fault } from './faults.ts'
import { createHandlers, faultHandler } from './handlers.ts'
import type { MockApiOptions } from './live-service.ts'

interface RouteOptions extends Partial<MockApiOptions> {
  /** Origin and path prefix of the API, without a trailing slash. */
  readonly baseUrl: string
  /** Responds to every request with this fault. @default none */
  readonly fault?: Fault
}

/**
 * Routes the API's addresses in a page or a context of Playwright to the mock. A body that breaks off becomes a failed
 * request; for the other faults see expected-outcomes-testing.ts.
 */
export async function routeApi(target: Page | BrowserContext, options: RouteOptions): Promise<void> {
  const { baseUrl, fault, catalogue = embeddedCatalogue() } = options
  const handlers = [
    ...(fault === undefined ? [] : [faultHandler(fault, { baseUrl })]),
    ...createHandlers({ ...options, catalogue }),
  ]
  await target.route(`${baseUrl}/api/v1/**`, async (route) => {
    const original = route.request()
    const headers = await original.allHeaders()
    const request = new Request(original.url(), { method: original.method(), headers })
    const response = await getResponse(handlers, request)
    if (response === undefined) return route.fallback()
    if (response.type === 'error') return route.abort('connectionreset')
    const body = await response.arrayBuffer().catch(() => null)
    if (body === null) return route.abort('connectionreset')
    // Playwright adds a permissive CORS header when there is none; naming another origin prevents that.
    const cors = { 'access-control-allow-origin': 'https://nobody.invalid' }
    return route.fulfill({
      status: response.status,
      headers: { ...cors, ...Object.fromEntries(response.headers) },
      body: Buffer.from(body),
    })
  })
}
