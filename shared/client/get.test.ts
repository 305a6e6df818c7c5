import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createDirectoryClient, type DirectoryClientOptions, type DirectoryError } from './index.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** Starts an HTTP server, and creates a client of it without retries. */
async function serve(listener: RequestListener, options: Partial<DirectoryClientOptions> = {}) {
  let requests = 0
  const server = createServer((request, response) => {
    requests++
    listener(request, response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  closers.push(() => {
    server.close()
    server.closeAllConnections()
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const directory = createDirectoryClient({ baseUrl, retries: 0, ...options })
  return { directory, baseUrl, requests: () => requests }
}

const failure = (call: Promise<unknown>): Promise<DirectoryError> =>
  call.then(
    () => expect.unreachable('the call should have failed'),
    (error: DirectoryError) => error,
  )

const page = JSON.stringify({ total: 0, count: 0, results: [] })

describe('DirectoryError', () => {
  it.each<[string, RequestListener, Partial<DirectoryError>, string]>([
    ['500', (_, r) => r.writeHead(500).end('{}'), { kind: 'http', status: 500 }, 'try again later'],
    ['404', (_, r) => r.writeHead(404).end('{}'), { kind: 'http', status: 404 }, 'Check the directory address'],
    ['429', (_, r) => r.writeHead(429).end(), { kind: 'http', status: 429 }, 'many requests: try again later'],
    ['304', (_, r) => r.writeHead(304).end(), { kind: 'http', status: 304 }, 'Check the directory address'],
    ['204', (_, r) => r.writeHead(204).end(), { kind: 'invalid', status: 204 }, 'nothing'],
    ['malformed JSON', (_, r) => r.end('{"results":['), { kind: 'invalid', status: 200 }, 'not JSON'],
    ['a web page', (_, r) => r.end('<!doctype html>'), { kind: 'invalid', status: 200 }, 'a web page'],
    ['a reset', (q) => q.socket.destroy(), { kind: 'network', status: null }, 'Check the connection'],
    ['a loop', (q, r) => r.writeHead(302, { location: q.url! }).end(), { kind: 'network', status: null }, 'reached'],
    [
      'a cut body',
      (_, r) => void r.writeHead(200, { 'content-length': '900' }).write('{"results":[', () => r.destroy()),
      { kind: 'network', status: null },
      'connection broke',
    ],
  ])('has the kind, status and advice for %s', async (_name, listener, expected, message) => {
    const { directory, baseUrl } = await serve(listener)
    const error = await failure(directory.plugins())
    expect(error).toMatchObject({
      name: 'DirectoryError',
      url: `${baseUrl}/api/v1/plugins?limit=24&page=1`,
      ...expected,
    })
    expect(error.message).toContain(message)
  })

  it('DirectoryError is a timeout for a server that never responds, and for one that never ends its body', async () => {
    for (const listener of [() => {}, (_: unknown, r) => void r.write('{')] as RequestListener[]) {
      const { directory } = await serve(listener, { timeoutMs: 60 })
      expect(await failure(directory.plugins())).toMatchObject({ kind: 'timeout', status: null })
    }
  })

  it('DirectoryError is aborted for a call that its caller aborts, before or after the first byte', async () => {
    const controller = new AbortController()
    const { directory } = await serve((_, response) => {
      response.write('{', () => controller.abort())
    })
    expect(await failure(directory.index({ signal: controller.signal }))).toMatchObject({ kind: 'aborted' })
    expect(await failure(directory.index({ signal: AbortSignal.abort() }))).toMatchObject({ kind: 'aborted' })
  })

  it('DirectoryError is invalid for a body over the limit, and stops reading it', async () => {
    let sent = 0
    const chunk = Buffer.alloc(1 << 20, ' ')
    const endless: RequestListener = (_, response) => {
      const write = () => {
        while (sent < 30 && !response.destroyed) {
          sent++
          if (!response.write(chunk)) return void response.once('drain', write)
        }
        response.end()
      }
      write()
    }
    const { directory } = await serve(endless)
    const error = await failure(directory.index())
    expect(error).toMatchObject({ kind: 'invalid' })
    expect(error.message).toContain('more than 8000000 bytes')
    expect(sent).toBeLessThan(30)
  })
})

describe('the client', () => {
  const flaky = (failures: number, fail: RequestListener): RequestListener => {
    let left = failures
    return (request, response) => (left-- > 0 ? fail(request, response) : response.end(page))
  }

  it.each<[string, RequestListener]>([
    ['a 503', (_, r) => r.writeHead(503).end()],
    ['a reset', (q) => q.socket.destroy()],
    ['a cut body', (_, r) => void r.writeHead(200, { 'content-length': '900' }).write('{', () => r.destroy())],
  ])('retries %s', async (_name, fail) => {
    const { directory, requests } = await serve(flaky(1, fail), { retries: 2 })
    expect(await directory.plugins()).toMatchObject({ received: 0 })
    expect(requests()).toBe(2)
  })

  it.each<[string, RequestListener]>([
    ['a 404', (_, r) => r.writeHead(404).end()],
    ['a response that is not JSON', (_, r) => r.end('<html>')],
    ['a Retry-After over the limit', (_, r) => r.writeHead(503, { 'retry-after': '3600' }).end()],
  ])('does not retry %s', async (_name, fail) => {
    const { directory, requests } = await serve(flaky(1, fail), { retries: 2 })
    await failure(directory.plugins())
    expect(requests()).toBe(1)
  })

  it('reports a Retry-After over the limit in the message', async () => {
    const { directory } = await serve((_, r) => r.writeHead(429, { 'retry-after': '70' }).end())
    expect((await failure(directory.plugins())).message).toContain('many requests: try again in 70 s')
  })

  it('sends no retries when the call turns them off', async () => {
    const { directory, requests } = await serve((_, r) => r.writeHead(503).end(), { retries: 2 })
    await failure(directory.index({ retries: 0 }))
    expect(requests()).toBe(1)
  })

  it('ends the retries at the total time limit', async () => {
    const { directory, requests } = await serve((_, r) => r.writeHead(503).end(), { retries: 50, totalTimeoutMs: 700 })
    expect(await failure(directory.plugins())).toMatchObject({ kind: expect.stringMatching(/timeout|http/) })
    expect(requests()).toBeLessThan(10)
  })
})

it('sends no header that needs a preflight or identifies the user', async () => {
  const answer: RequestListener = (request, response) => {
    const usual = ['accept', 'accept-encoding', 'accept-language', 'connection', 'host', 'sec-fetch-mode', 'user-agent']
    expect(Object.keys(request.headers).filter((name) => !usual.includes(name))).toEqual([])
    expect(request.method).toBe('GET')
    response.end(page)
  }
  const { directory } = await serve(answer)
  await directory.plugins()
})
