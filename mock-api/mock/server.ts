import { getResponse, type HttpHandler } from 'msw'
import { type DirectoryServer, startServer } from '../api/server.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { embeddedCatalogue } from '../invented/invented.ts'
import type { Fault } from './faults.ts'
import { createHandlers, faultHandler, type MockApiOptions } from './live-service.ts'

export interface MockServerOptions extends Omit<Partial<MockApiOptions>, 'baseUrl'> {
  /** @default 0, any free one */
  readonly port?: number
  /** @default '127.0.0.1' */
  readonly host?: string
  /** Responds to every request with this fault. @default none */
  readonly fault?: Fault
}

/** One request that the server received. */
interface ReceivedRequest {
  readonly method: string
  /** Path with query, undecoded. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

export interface MockServer extends DirectoryServer {
  readonly catalogue: Catalogue
  /** The last 1,000 requests, oldest first. */
  readonly requests: readonly ReceivedRequest[]
  /** Adds handlers before the others, as `server.use` of MSW does: `faultHandler('500')`, or a hostile document. */
  use(...handlers: HttpHandler[]): void
  /** Removes the handlers that `use` added. */
  resetHandlers(): void
}

const MAX_REQUESTS = 1000

/**
 * Serves the mock on a port of this machine; resolves once it listens. A query can ask for a fault.
 *
 * @throws the error of `listen`, such as EADDRINUSE
 */
export async function startMockServer(options: MockServerOptions = {}): Promise<MockServer> {
  const { port = 0, host = '127.0.0.1', fault, catalogue = embeddedCatalogue() } = options
  const permanent = [
    ...(fault === undefined ? [] : [faultHandler(fault)]),
    ...createHandlers({ ...options, catalogue }),
  ]
  let handlers = permanent
  const requests: ReceivedRequest[] = []
  const server = await startServer({
    port,
    host,
    createRespond: () => (request) => getResponse(handlers, request),
    onRequest({ method = 'GET', url = '/', headers }) {
      requests.push({ method, path: url, headers })
      if (requests.length > MAX_REQUESTS) requests.shift()
    },
  })
  return {
    ...server,
    catalogue,
    requests,
    use(...more) {
      handlers = [...more, ...handlers]
    },
    resetHandlers() {
      handlers = permanent
    },
  }
}
