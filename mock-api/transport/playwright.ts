import { getResponse } from 'msw'
import type { BrowserContext, Page } from 'playwright'
import { embeddedCatalogue } from '../catalogue/embedded.ts'
import type { Fault } from '../http/faults.ts'
import { createHandlers, faultHandler, type HandlerOptions } from '../http/handlers.ts'

export interface RouteOptions extends Partial<HandlerOptions> {
  /** Origin and path prefix that is answered, without a trailing slash. */
  readonly baseUrl: string
  /** Answers every request with this fault. @default none */
  readonly fault?: Fault
}

/**
 * Answers the API's addresses in a page or a context of Playwright. A body that breaks off, like a connection that is
 * reset, can only be shown as a request that fails; table.ts has the rest.
 */
export async function routeApi(target: Page | BrowserContext, options: RouteOptions): Promise<void> {
  const { baseUrl, fault, catalogue = embeddedCatalogue() } = options
  const handlers = [
    ...(fault === undefined ? [] : [faultHandler(fault, { baseUrl })]),
    ...createHandlers({ ...options, catalogue }),
  ]
  await target.route(`${baseUrl}/api/v1/**`, async (route) => {
    const asked = route.request()
    const request = new Request(asked.url(), { method: asked.method(), headers: await asked.allHeaders() })
    const response = await getResponse(handlers, request)
    if (response === undefined) return route.fallback()
    if (response.type === 'error') return route.abort('connectionreset')
    const body = await response.arrayBuffer().catch(() => null)
    if (body === null) return route.abort('connectionreset')
    // Playwright opens an answer that says nothing of origins to the page; naming another keeps it closed.
    const origins = { 'access-control-allow-origin': 'https://nobody.invalid' }
    return route.fulfill({
      status: response.status,
      headers: { ...origins, ...Object.fromEntries(response.headers) },
      body: Buffer.from(body),
    })
  })
}
