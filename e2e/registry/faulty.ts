import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Registry } from './registry.ts'

export interface FaultyRegistry {
  /** Base address without a trailing slash. */
  readonly url: string
  /** The first connection that asked for a tarball. */
  readonly asked: Promise<Socket>
  close(): Promise<void>
}

/**
 * A registry like another, but for its tarballs.
 *
 * @param fault `stalls`: whoever asks for one waits; `dies`: they get half of it, and from then on nobody gets anything
 */
export async function faultyRegistry(registry: Registry, fault: 'stalls' | 'dies'): Promise<FaultyRegistry> {
  const { promise: asked, resolve } = Promise.withResolvers<Socket>()
  const answer: RequestListener = async (request, response) => {
    const upstream = await fetch(registry.url + request.url)
    if (!request.url?.endsWith('.tgz')) {
      response.writeHead(upstream.status, { 'content-type': 'application/json' })
      response.end((await upstream.text()).replaceAll(registry.url, `http://${request.headers.host}`))
      return
    }
    resolve(request.socket)
    if (fault === 'stalls') return
    const tarball = Buffer.from(await upstream.arrayBuffer())
    response.writeHead(200, { 'content-length': tarball.length })
    response.write(tarball.subarray(0, tarball.length / 2), () => server.close().closeAllConnections())
  }
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async close() {
      server.closeAllConnections()
      if (server.listening) await new Promise((closed) => server.close(closed))
    },
  }
}
