/** The API for MSW. */
import { type HttpHandler, http } from 'msw'
import { isApiRequest } from '../directory/api.ts'
import { FAULT_PARAMETER, type Fault, faultResponse, isFault } from './faults.ts'
import { createMockApi, type MockApiOptions } from './live-service.ts'

/** Returns handlers for the whole API and for the listings' pages. A query can ask for a fault. */
export function createHandlers(options: MockApiOptions): HttpHandler[] {
  const respond = createMockApi(options)
  return [faultHandler(requestedFault, options), http.all('*', ({ request }) => respond(request) ?? undefined)]
}

/**
 * Returns a handler that responds to requests of the API with a fault. Put it before other handlers, or pass it to
 * `server.use`.
 *
 * @param pick the fault, or a function that returns one for a request, and null to pass the request on
 */
export function faultHandler(
  pick: Fault | ((request: Request) => Fault | null),
  { baseUrl, once = false }: { baseUrl?: string | undefined; once?: boolean } = {},
): HttpHandler {
  return http.all(
    ({ request }) => isApiRequest(request, baseUrl),
    async ({ request }) => {
      const fault = typeof pick === 'string' ? pick : pick(request)
      if (fault === null || request.method === 'OPTIONS') return undefined
      return faultResponse(fault, request)
    },
    { once },
  )
}

function requestedFault(request: Request): Fault | null {
  const fault = new URL(request.url).searchParams.get(FAULT_PARAMETER)
  return isFault(fault) ? fault : null
}
