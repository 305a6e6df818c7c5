import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { contentSecurityPolicy } from './csp.ts'
import type { Html } from './html.ts'
import type { Row } from './parts.ts'
import { routeOf, startAddress } from './routes.ts'
import { type CarriedRequest, carryOut, connectHosts, shimSource } from './shims.ts'

export interface PagesOptions {
  /** Repositories the pages list, in this order. */
  readonly rows: readonly Row[]
  /** Path of a built userscript; it must be there when the first page is opened. */
  readonly userscript: string
  /** HTML above the page that the demo opens first. @default nothing */
  readonly guide?: (language: 'en' | 'zh') => Html
  /** @default any free port */
  readonly port?: number
}

const SHIMS = '/__manager/shims.js'
const SCRIPT = '/__manager/plugmark.user.js'
const REQUEST = '/__manager/request'
const SCRIPTS = [SHIMS, SCRIPT]

/**
 * The code host's policy, but for what this server needs: the stand-in and the userscript come as scripts of its own
 * origin, where a manager would inject them, and it speaks plain http.
 */
const POLICY = contentSecurityPolicy({
  'script-src': "'self' github.githubassets.com",
  'upgrade-insecure-requests': null,
})

/** Serves a code host of our own making on loopback, marked by the userscript. */
export async function startPages(options: PagesOptions): Promise<{ url: string; close(): Promise<void> }> {
  const { rows, userscript, guide } = options
  const shims = shimSource({ manager: 'violentmonkey', carrier: { kind: 'address', path: REQUEST } })
  const start = startAddress(rows)

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (url.pathname === SHIMS) return send(response, 'text/javascript', shims)
    if (url.pathname === SCRIPT) return send(response, 'text/javascript', await readFile(userscript, 'utf8'))
    if (url.pathname === REQUEST) return carry(request, response, await connectHosts(userscript))
    const isStart = url.pathname + url.search === start
    const above = guide && isStart ? { above: guide(languageOf(request)) } : {}
    const route = routeOf(url, rows, { scripts: SCRIPTS, ...above })
    if (route.status === 302) return void response.writeHead(302, { location: route.location }).end()
    send(response, 'text/html', toThisHost(route.markup), route.status)
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => send(response, 'text/plain', `${error}\n`, 500))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Texts link to the code host by its own name, and gists have a host of their own: here all is on this server. */
const toThisHost = (markup: string): string =>
  markup
    .replace(/(?<=\shref=")https:\/\/gist\.github\.com\/(?=[^/"]+\/[0-9a-f]{16}")/gi, '/')
    .replace(/(?<=\shref=")https:\/\/gist\.github\.com\//gi, '/gists/')
    .replace(/(?<=\shref=")https?:\/\/(www\.)?github\.com\//gi, '/')

/** The language that the browser asks for first. */
const languageOf = ({ headers }: IncomingMessage): 'en' | 'zh' =>
  /^\s*zh\b/i.test(headers['accept-language'] ?? '') ? 'zh' : 'en'

/** Only pages of this server may ask: another site in the same browser must not reach the API through it. */
async function carry(request: IncomingMessage, response: ServerResponse, hosts: ReadonlySet<string>): Promise<void> {
  const asked = request.headers['x-manager-request']
  if (request.headers['sec-fetch-site'] !== 'same-origin' || typeof asked !== 'string') {
    return send(response, 'text/plain', 'Only the pages of this server may ask.\n', 403)
  }
  const { url, headers } = JSON.parse(asked) as CarriedRequest
  const answer = await carryOut({ method: 'GET', url, headers }, hosts)
  send(response, 'application/json', JSON.stringify(answer))
}

function send(response: ServerResponse, type: string, body: string, status = 200): void {
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'content-security-policy': POLICY,
    'cache-control': 'no-store',
  })
  response.end(body)
}
