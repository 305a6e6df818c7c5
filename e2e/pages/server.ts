import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { carryOut, connectHosts } from './carrier.ts'
import { contentSecurityPolicy } from './csp.ts'
import { homePage } from './home.ts'
import { KIND_PAGES, pathOf } from './kinds.ts'
import { repositoryPage } from './repository.ts'
import type { Row } from './row.ts'
import { searchPage } from './search.ts'
import { type CarriedRequest, shimSource } from './shims.ts'
import { topicPage } from './topic.ts'

export interface PagesOptions {
  /** Repositories the pages list, in this order. */
  readonly rows: readonly Row[]
  /** Path of a built userscript. */
  readonly userscript: string
  /** @default any free port */
  readonly port?: number
}

const ROWS_A_PAGE = 20
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
  const hosts = await connectHosts(options.userscript)
  const shims = shimSource({ manager: 'violentmonkey', carrier: { kind: 'address', path: REQUEST } })

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (url.pathname === SHIMS) return send(response, 'text/javascript', shims)
    if (url.pathname === SCRIPT) return send(response, 'text/javascript', await readFile(options.userscript, 'utf8'))
    if (url.pathname === REQUEST) return carry(request, response, hosts)
    const page = pageAt(url, options.rows)
    if (page === null) return send(response, 'text/plain', 'There is no such page here. Try /\n', 404)
    return send(response, 'text/html', page)
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

function pageAt(url: URL, rows: readonly Row[]): string | null {
  const { pathname, searchParams } = url
  const topic = /^\/topics\/([^/]+)\/?$/.exec(pathname)?.[1]
  if (topic !== undefined) {
    const number = pageNumber(searchParams.get('page'))
    const next = rows.length > number * ROWS_A_PAGE ? { next: `${pathname}?page=${number + 1}` } : {}
    return topicPage(slice(rows, number), { topic: decodeURIComponent(topic), scripts: SCRIPTS, ...next })
  }
  if (pathname === '/search') {
    const query = searchParams.get('q') ?? ''
    const found = rows.filter((row) => matches(row, query))
    const number = pageNumber(searchParams.get('p'))
    const pages = Math.max(1, Math.ceil(found.length / ROWS_A_PAGE))
    return searchPage(slice(found, number), { query, pageNumber: number, pages, scripts: SCRIPTS })
  }
  if (pathname === '/') return homePage(SCRIPTS)
  const kindPage = KIND_PAGES.find((one) => pathOf(one) === pathname + url.search)
  if (kindPage) return kindPage.markup(rows.slice(0, ROWS_A_PAGE), { scripts: SCRIPTS })
  const own = rows.find(({ fullName }) => `/${fullName}`.toLowerCase() === pathname.toLowerCase())
  return own ? repositoryPage([], { fullName: own.fullName, scripts: SCRIPTS }) : null
}

const pageNumber = (text: string | null) => Math.max(1, Math.floor(Number(text)) || 1)
const slice = (rows: readonly Row[], number: number) => rows.slice((number - 1) * ROWS_A_PAGE, number * ROWS_A_PAGE)

function matches({ fullName, description }: Row, query: string): boolean {
  const text = `${fullName} ${description}`.toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

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
