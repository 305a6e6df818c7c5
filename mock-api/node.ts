/** The mock API in Node: a server of its own, and catalogues from files. */
import type { AddressInfo } from 'node:net'
import type { HttpHandler } from 'msw'
import type { Fault } from './http/faults.ts'
import { createHandlers, faultHandler, type HandlerOptions } from './http/handlers.ts'
import { type Catalogue, embeddedCatalogue } from './index.ts'
import { serveHandlers } from './transport/server.ts'

export { CatalogueFileError, loadCatalogue } from './catalogue/file.ts'

export interface MockServerOptions extends Omit<Partial<HandlerOptions>, 'baseUrl'> {
  /** @default 0, any free one */
  readonly port?: number
  /** @default '127.0.0.1' */
  readonly host?: string
  /** Answers every request with this fault. @default none */
  readonly fault?: Fault
}

/** One request as it came in. */
export interface SeenRequest {
  readonly method: string
  /** Path with query, undecoded. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

export interface MockServer {
  /** Base address of the API, without a trailing slash. */
  readonly url: string
  readonly catalogue: Catalogue
  /** What was asked so far, oldest first; the last 1,000. */
  readonly requests: readonly SeenRequest[]
  /** Puts handlers before the others, as `server.use` of MSW does: `faultHandler('500')`, or a hostile document. */
  use(...handlers: HttpHandler[]): void
  /** Takes away what `use` put there. */
  resetHandlers(): void
  /** Breaks off what is under way and frees the port. */
  close(): Promise<void>
}

const SEEN = 1000

/** Serves the API on a port of this machine; it listens when the promise resolves. */
export async function startMockServer(options: MockServerOptions = {}): Promise<MockServer> {
  const { port = 0, host = '127.0.0.1', fault, catalogue = embeddedCatalogue() } = options
  const permanent = [
    ...(fault === undefined ? [] : [faultHandler(fault)]),
    ...createHandlers({ ...options, catalogue }),
  ]
  const requests: SeenRequest[] = []
  let handlers = permanent
  const server = serveHandlers(() => handlers)
  server.prependListener('request', ({ method = 'GET', url = '/', headers }) => {
    requests.push({ method, path: url, headers })
    if (requests.length > SEEN) requests.shift()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    catalogue,
    requests,
    use(...more) {
      handlers = [...more, ...handlers]
    },
    resetHandlers() {
      handlers = permanent
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}
