/** For tests: a package registry and a host of raw files on loopback, with the packages and files of a test. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

interface ServedBody {
  readonly body: string | Buffer
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Versions of packages by name, newest last, each with an optional time of its `release`; JSON files and other bodies by
 * path.
 */
export type Served = Readonly<Record<string, ServedVersions | { readonly file: unknown } | ServedBody>>
type ServedVersions = Readonly<Record<string, Readonly<Record<string, unknown>> & { readonly release?: string }>>

export interface RegistryForTests {
  readonly url: string
  /** All requests, with the status of each answer. */
  readonly requests: {
    readonly path: string
    readonly status: number
    readonly headers: IncomingHttpHeaders
  }[]
  /** Most requests at the same time. */
  readonly atOnce: () => number
  /** Replaces the served packages and files. */
  serve(served: Served): void
  /** Holds all answers, or those whose path matches, until the returned function is called. */
  hold(paths?: RegExp): () => void
  /** Answers the next requests with these statuses, one each. */
  failNext(...failures: readonly { readonly status: number }[]): void
  close(): Promise<void>
}

export async function startRegistryForTests(given: Served): Promise<RegistryForTests> {
  let served = given
  const requests: RegistryForTests['requests'] = []
  const failures: { readonly status: number }[] = []
  let held: Promise<void> = Promise.resolve()
  let heldPaths = /(?:)/
  let [open, most] = [0, 0]
  const server = createServer(async ({ url = '', headers }, response) => {
    const path = decodeURIComponent(url).slice(1)
    most = Math.max(most, ++open)
    const respond = (status: number, body: string | Buffer, more: Record<string, string> = {}) => {
      // Registries and the code host compress what a client accepts so.
      const isPacked = 'content-encoding' in more
      const sent = isPacked ? Buffer.from(body) : gzipSync(body)
      requests.push({ path, status, headers })
      open--
      response.writeHead(status, { 'content-type': 'application/json', 'content-encoding': 'gzip', ...more }).end(sent)
    }
    if (heldPaths.test(path)) await held
    const failure = failures.shift()
    if (failure) return respond(failure.status, '{}')
    const found = Object.hasOwn(served, path) ? served[path] : undefined
    if (found === undefined) return respond(404, '{"error":"Not found"}')
    const body = bodyOf(path, found, headers.accept?.includes('install-v1') ?? false)
    const { status = 200, headers: more = {} } = 'body' in found ? (found as ServedBody) : {}
    respond(status, body, { ...more })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    atOnce: () => most,
    serve(next) {
      served = next
    },
    hold(paths = /(?:)/) {
      heldPaths = paths
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return resolve
    },
    failNext: (...more) => void failures.push(...more),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function bodyOf(path: string, found: Served[string], isAbbreviated: boolean): string | Buffer {
  if ('body' in found) return (found as ServedBody).body
  return JSON.stringify('file' in found ? found.file : documentOf(path, found as ServedVersions, isAbbreviated))
}

function documentOf(name: string, versions: ServedVersions, isAbbreviated: boolean) {
  const times = Object.entries(versions).map(([version, { release }]) => [version, release] as const)
  const modified = times.at(-1)?.[1]
  return {
    name,
    'dist-tags': { latest: Object.keys(versions).at(-1) },
    versions: Object.fromEntries(
      Object.entries(versions).map(([version, { release, ...manifest }]) => [version, { name, version, ...manifest }]),
    ),
    ...(isAbbreviated ? { modified } : { time: { modified, ...Object.fromEntries(times) } }),
  }
}
