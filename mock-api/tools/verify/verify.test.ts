import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { getResponse } from 'msw'
import { describe, expect, test } from 'vitest'
import { embeddedCatalogue } from '../../invented/invented.ts'
import { createHandlers, type MockApiOptions } from '../../mock/live-service.ts'
import { printableJson } from '../command.ts'
import { CLAUSES } from './clauses.ts'
import { clauseText, junitXml, type Result, summaryText, type VerifyReport } from './report.ts'
import { MOST_REQUESTS } from './server.ts'
import { verify } from './verify.ts'

const URL_UNDER_TEST = 'https://directory.test'

type Change = (answer: Response, url: URL, request: Request) => Response | Promise<Response>

/**
 * Verifies the mock, with `change` applied to each of its answers. The time limit is short only for a change that violates
 * the clause about time, as a busy machine may need more for any other.
 */
async function verifyMock(options: Partial<MockApiOptions> = {}, change: Change = (answer) => answer, clause = '') {
  const sent: Request[] = []
  const handlers = createHandlers({ catalogue: embeddedCatalogue(), ...options })
  const fetch = (async (input: string, init?: RequestInit) => {
    const request = new Request(input, init)
    sent.push(request)
    return change((await getResponse(handlers, request))!, new URL(input), request)
  }) as typeof globalThis.fetch
  const timeoutMs = clause.endsWith(': time') ? 500 : 60_000
  return { report: await verify(URL_UNDER_TEST, { fetch, pauseMs: 0, timeoutMs }), sent }
}

test('passes every clause on the mock', async () => {
  const { report, sent } = await verifyMock()
  expect(report.clauses.filter(({ result }) => result !== 'holds')).toEqual([])
  expect(report.requests).toBe(MOST_REQUESTS)
  expect(sent.map(({ method }) => method)).toEqual(Array(MOST_REQUESTS).fill('GET'))
  expect(new Set(sent.map(({ url }) => new URL(url).pathname))).toEqual(new Set(['/api/v1/index', '/api/v1/plugins']))
})

test('names each quirk of the live service, and finds no violation in the mock that has them', async () => {
  const { report } = await verifyMock({ quirks: 'live', recordVerdicts: true })
  const idsOf = (result: string) => report.clauses.filter((clause) => clause.result === result).map(({ id }) => id)
  expect(idsOf('violated')).toEqual([])
  expect(idsOf('quirk')).toEqual(
    expect.arrayContaining(['limit: out of range', 'page: any limit', 'q: literal', 'installCheck: filters']),
  )
})

// biome-ignore lint/suspicious/noExplicitAny: a body that a test spoils
type Body = any

/** Returns a change of the JSON of one endpoint. */
const json =
  (path: 'index' | 'plugins', edit: (body: Body, url: URL) => void): Change =>
  async (answer, url) => {
    if (!url.pathname.endsWith(path) || answer.status !== 200) return answer
    const body = await answer.clone().json()
    edit(body, url)
    return new Response(JSON.stringify(body), { status: answer.status, headers: answer.headers })
  }
const header =
  (path: 'index' | 'plugins', name: string, value: string): Change =>
  (answer, url) => {
    if (url.pathname.endsWith(path)) answer.headers.set(name, value)
    return answer
  }
const withQuery = (name: string, value: string, edit: (body: Body) => void) =>
  json('plugins', (body, url) => {
    if (url.searchParams.get(name) === value) edit(body)
  })
const status =
  (path: 'index' | 'plugins'): Change =>
  (answer, url, request) =>
    url.pathname.endsWith(path) && request.headers.has('if-none-match')
      ? new Response('{}', { status: 412, headers: answer.headers })
      : answer

const shorten = (page: Body) => (page.count = page.results.splice(0, page.results.length - 1).length)
/** Answers after a time that the test's time limit does not allow. */
const late =
  (path: 'index' | 'plugins'): Change =>
  async (answer, url, request) => {
    if (!url.pathname.endsWith(path)) return answer
    await new Promise((resolve) => request.signal.addEventListener('abort', resolve))
    throw request.signal.reason
  }
/** Answers with more than clients read, without holding it in memory. */
const endless =
  (path: 'index' | 'plugins', sent = { bytes: 0 }): Change =>
  (answer, url) => {
    if (!url.pathname.endsWith(path)) return answer
    const chunk = new Uint8Array(1_000_000).fill(32)
    const body = new ReadableStream({
      pull(controller) {
        sent.bytes += chunk.length
        controller.enqueue(chunk)
      },
    })
    return new Response(body, { headers: answer.headers })
  }
const redirectLoop =
  (path: 'index' | 'plugins'): Change =>
  (answer, url) =>
    url.pathname.endsWith(path)
      ? new Response(null, { status: 302, headers: { location: `${url.pathname}?hop=1` } })
      : answer

/** One change for each clause, which must violate it. Clauses that only know quirks are absent. */
const VIOLATIONS: Readonly<Record<string, Change>> = {
  '/api/v1/index: redirect': redirectLoop('index'),
  '/api/v1/index: time': late('index'),
  '/api/v1/index: size': endless('index'),
  '/api/v1/index: JSON': header('index', 'content-type', 'text/html'),
  '/api/v1/index: CORS': header('index', 'access-control-allow-origin', 'https://directory.test'),
  '/api/v1/index: Cache-Control': header('index', 'cache-control', 'no-store'),
  '/api/v1/index: ETag': status('index'),
  '/api/v1/plugins: redirect': redirectLoop('plugins'),
  '/api/v1/plugins: time': late('plugins'),
  '/api/v1/plugins: size': endless('plugins'),
  '/api/v1/plugins: JSON': header('plugins', 'content-type', 'text/plain'),
  '/api/v1/plugins: CORS': header('plugins', 'access-control-allow-origin', 'null'),
  '/api/v1/plugins: Cache-Control': header('plugins', 'cache-control', 'no-cache'),
  '/api/v1/plugins: ETag': status('plugins'),
  'index: document': json('index', (index) => (index.generated = '2026-08-24')),
  'index: generated': json('index', (index) => (index.generated = '2099-01-01T00:00:00.000Z')),
  'index: fields': json('index', (index) => (index.fields[2] = 'command')),
  'index: count': json('index', (index) => index.count++),
  'index: rows': json('index', (index) => (index.plugins[3][0] = 'no slash')),
  'index: one row for each listing': json('index', (index) => {
    const [fullName, ...rest] = index.plugins[0]
    index.plugins[1] = [fullName.replace(/^[^/]*/, (owner: string) => owner.toUpperCase()), ...rest]
  }),
  'index: install': json('index', (index) => {
    const row = index.plugins.find(([, , install]: string[]) => install)
    row[2] = 'dsh plugin --profile web add github:somebody/else'
  }),
  'index: no placeholders': json('index', (index) => {
    index.plugins.find((row: unknown[]) => row[2] === null)[2] = ''
  }),
  'plugins: envelope': json('plugins', (page) => page.count++),
  'plugins: records': json('plugins', (page) => {
    for (const record of page.results) record.installable = !record.installable
  }),
  'plugins: total': json('plugins', (page) => page.total++),
  'plugins: same as the index': json('plugins', (page) => {
    for (const record of page.results) record.category = 'another'
  }),
  'plugins: order': json('plugins', (page) => page.results.reverse()),
  'limit: default': json('plugins', (page, url) => {
    if (url.search === '') shorten(page)
  }),
  'limit: 24': withQuery('limit', '24', shorten),
  'limit: 48': withQuery('limit', '48', shorten),
  'limit: 96': withQuery('limit', '96', shorten),
  'limit: 100': withQuery('limit', '100', shorten),
  'page: next': withQuery('page', '2', shorten),
  'page: past the last': withQuery('page', '99999', (page) => page.results.push({})),
  'q: full name': json('plugins', (page, url) => {
    if (url.searchParams.has('q')) page.results = []
  }),
  'q: narrows': withQuery('q', 'qzxjvkqzxjvk', (page) => (page.total = 3)),
  'category: filters': json('plugins', (page, url) => url.searchParams.has('category') && page.total++),
  'category: unknown': withQuery('category', 'no-such-category', (page) => (page.total = 9)),
  'installCheck: filters': withQuery('installCheck', 'passed', (page) => (page.results[0].installCheck = 'failed')),
  'installCheck: unknown': withQuery('installCheck', 'verified', (page) => (page.total = 0)),
}
/** Clauses whose departures clients tolerate, so they are never violated. */
const QUIRKS_ONLY = ['plugins: parameters', 'limit: out of range', 'page: any limit', 'q: literal']

describe('a server with one departure', () => {
  test('is tested for each clause', () => {
    expect([...Object.keys(VIOLATIONS), ...QUIRKS_ONLY].toSorted()).toEqual(CLAUSES.map(({ id }) => id).toSorted())
  })

  test.each(Object.entries(VIOLATIONS))(
    'violates the clause “%s”, with the request and the answer',
    async (id, change) => {
      const { report } = await verifyMock({}, change, id)
      const clause = report.clauses.find((one) => one.id === id)!
      expect(clause).toMatchObject({ result: 'violated', detail: expect.stringMatching(/\S/) })
      expect(clause.evidence?.request).toMatch(/^GET https:\/\/directory\.test\/api\/v1\/(index|plugins)/)
      expect(clauseText(clause).join()).toContain(`openapi.yaml${clause.source}`)
      expect(junitXml(report)).toContain(`failures="${report.counts.violated}"`)
    },
  )
})

const HANDLERS = createHandlers({ catalogue: embeddedCatalogue() })
const failing = () => new Response('<h1>Bad gateway</h1>', { status: 500 })

/** Ids of the clauses with this result. */
const idsOf = ({ clauses }: VerifyReport, result: Result) =>
  clauses.filter((clause) => clause.result === result).map(({ id }) => id)

const twice = (index: Body, spell: (name: string) => string) => {
  const [name, ...rest] = index.plugins[0]
  index.plugins.push([name.replace(/^[^#]*/, spell), ...rest])
  index.count++
}

/** Faults of a server, each with the one clause that is violated, and what the report says of it. */
const FAULTS: readonly (readonly [fault: string, change: Change, clause: string, detail: RegExp, result?: Result])[] = [
  [
    'a 500 with HTML',
    (answer, url) => (url.pathname.endsWith('plugins') ? failing() : answer),
    '/api/v1/plugins: JSON',
    /answers with status 500/,
  ],
  [
    'a 500 from page 2 on',
    (answer, url) => (Number(url.searchParams.get('page')) > 1 ? failing() : answer),
    'page: next',
    /answers with status 500/,
  ],
  ['a server that never answers', async (...call) => late('index')(...call), '/api/v1/index: time', /0\.5 s/],
  ['an index without an end', endless('index'), '/api/v1/index: size', /larger than 8,000,000 bytes/],
  ['a wrong date', json('index', (index) => (index.generated = '2026-08-24')), 'index: document', /generated/],
  [
    'a renamed column',
    json('index', (index) => (index.fields[index.fields.indexOf('npm')] = 'package')),
    'index: fields',
    /lacks the columns npm/,
  ],
  ['a wrong count', json('index', (index) => index.count++), 'index: count', /says \d+ and has/],
  [
    'a row that comes twice',
    json('index', (index) => twice(index, (name) => name)),
    'index: one row for each listing',
    /both/,
  ],
  [
    'a row that comes twice, in other case',
    json('index', (index) => twice(index, (name) => name.toUpperCase())),
    'index: one row for each listing',
    /both/,
  ],
  [
    'a row that installs another package',
    json('index', (index) => (index.plugins[0][2] = 'dsh plugin --profile web add evil-package')),
    'index: install',
    /different package/,
  ],
  [
    'two columns in the wrong order',
    json('index', (index) => {
      for (const row of index.plugins) [row[1], row[2]] = [row[2], row[1]]
    }),
    'index: install',
    /and \d+ more/,
  ],
  [
    'records that install another package',
    json('plugins', (page) => {
      for (const record of page.results) record.install &&= 'dsh plugin --profile web add evil-package'
    }),
    'plugins: records',
    /different package/,
  ],
  [
    'records with a wrong date',
    json('plugins', (page) => {
      for (const record of page.results) record.installCheckedAt = 'yesterday'
    }),
    'plugins: records',
    /installCheckedAt.*and 23 more/,
  ],
  ['the fewest stars first', json('plugins', (page) => page.results.reverse()), 'plugins: order', /more stars/],
  [
    'a redirect',
    async (_, url, request) =>
      url.pathname.startsWith('/new/')
        ? (await getResponse(HANDLERS, new Request(url.href.replace('/new/', '/'), request)))!
        : new Response(null, {
            status: 301,
            headers: { location: `https://directory.test/new${url.pathname}${url.search}` },
          }),
    '/api/v1/index: redirect',
    /redirects to https:\/\/directory\.test\/new\/api\/v1\/index/,
    'quirk',
  ],
]

test.for(FAULTS)('reports %s in one line, at its cause', async ([, change, clause, detail, result = 'violated']) => {
  const { report, sent } = await verifyMock({}, change, clause)
  expect([...idsOf(report, 'violated'), ...idsOf(report, 'quirk')]).toEqual(expect.arrayContaining([clause]))
  expect(idsOf(report, result).filter((id) => !id.startsWith('/api/v1/plugins: redirect'))).toEqual([clause])
  expect(idsOf(report, result === 'quirk' ? 'violated' : 'quirk')).toEqual([])
  expect(report.clauses.find(({ id }) => id === clause)?.detail).toMatch(detail)
  expect(sent.length).toBeLessThanOrEqual(MOST_REQUESTS)
})

test('names a compressed body that is cut', async () => {
  const server = createServer((request, response) => {
    const body = gzipSync(JSON.stringify({ padding: 'x '.repeat(5_000), at: request.url }))
    const head = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    response.writeHead(200, head).end(body.subarray(0, body.length >> 1))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const report = await verify(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { pauseMs: 0 })
  server.close()
  expect(idsOf(report, 'violated')).toEqual(['/api/v1/index: JSON'])
  expect(report.clauses.find(({ result }) => result === 'violated')?.detail).toMatch(/gzip body that is cut/)
  expect(report.requests).toBe(2)
})

test('asks each endpoint once when nobody answers, and reports that once', async () => {
  const fetch = async () => Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }))
  const report = await verify(URL_UNDER_TEST, { fetch, pauseMs: 0 })
  expect(report.counts).toEqual({ holds: 0, quirk: 0, violated: 1, 'not-tested': CLAUSES.length - 1 })
  expect(report.requests).toBe(2)
  expect(report.clauses.find(({ result }) => result === 'violated')).toMatchObject({
    id: '/api/v1/index: JSON',
    detail: 'gives no complete answer: connect ECONNREFUSED',
  })
  expect(summaryText(report)).toContain('1 violated')
})

test('reads no more of an answer than clients do', async () => {
  const sent = { bytes: 0 }
  await verifyMock({}, endless('index', sent))
  expect(sent.bytes).toBeLessThan(12_000_000)
})

test('reports a server that ignores every parameter, as a static host does, as one quirk', async () => {
  const handlers = createHandlers({ catalogue: embeddedCatalogue() })
  const { report, sent } = await verifyMock({}, async (answer, url) => {
    if (!url.pathname.endsWith('plugins') || answer.status !== 200) return answer
    return (await getResponse(handlers, new Request(`${url.origin}${url.pathname}?limit=100`)))!
  })
  expect(idsOf(report, 'violated')).toEqual([])
  expect(idsOf(report, 'quirk')).toEqual(['/api/v1/plugins: ETag', 'plugins: parameters'])
  expect(sent.length).toBeLessThanOrEqual(MOST_REQUESTS)
})

test('keeps control characters of the server out of a report', async () => {
  const { report } = await verifyMock(
    {},
    json('index', (index) => (index.plugins[0][0] = 'evil\u001b[31m/\u202e\u009b\u{e0041}name')),
  )
  expect(JSON.parse(printableJson(report))).toEqual(report)
  for (const text of [junitXml(report), printableJson(report), ...report.clauses.flatMap(clauseText)])
    expect(text).not.toMatch(/[\u001b\u009b\u202e\u{e0041}]/u)
})

test('sends one request at a time, with a pause in between', async () => {
  const times: number[] = []
  let running = 0
  const handlers = createHandlers({ catalogue: embeddedCatalogue() })
  const fetch = (async (input: string, init?: RequestInit) => {
    times.push(performance.now())
    expect(++running).toBe(1)
    const answer = (await getResponse(handlers, new Request(input, init)))!
    running--
    return answer
  }) as typeof globalThis.fetch
  await verify(URL_UNDER_TEST, { fetch, pauseMs: 40 })
  expect(times).toHaveLength(MOST_REQUESTS)
  expect(times.at(-1)! - times[0]!).toBeGreaterThan(40 * (MOST_REQUESTS - 1) - 20)
})
