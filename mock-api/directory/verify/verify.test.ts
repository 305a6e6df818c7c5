import { getResponse } from 'msw'
import { describe, expect, test } from 'vitest'
import { embeddedCatalogue } from '../../mock/catalogue/embedded.ts'
import { createHandlers } from '../../mock/handlers.ts'
import type { MockApiOptions } from '../../mock/live-service.ts'
import { CLAUSES } from './clauses.ts'
import { clauseText, junitXml, summaryText } from './report.ts'
import { MOST_REQUESTS, verify } from './verify.ts'

const URL_UNDER_TEST = 'https://directory.test'

type Change = (answer: Response, url: URL, request: Request) => Response | Promise<Response>

/** Verifies the mock, with `change` applied to each of its answers. */
async function verifyMock(options: Partial<MockApiOptions> = {}, change: Change = (answer) => answer) {
  const sent: Request[] = []
  const handlers = createHandlers({ catalogue: embeddedCatalogue(), ...options })
  const fetch = (async (input: string, init?: RequestInit) => {
    const request = new Request(input, init)
    sent.push(request)
    return change((await getResponse(handlers, request))!, new URL(input), request)
  }) as typeof globalThis.fetch
  return { report: await verify(URL_UNDER_TEST, { fetch, pauseMs: 0 }), sent }
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
  const of = (result: string) => report.clauses.filter((clause) => clause.result === result).map(({ id }) => id)
  expect(of('violated')).toEqual([])
  expect(of('quirk')).toEqual(
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

/** One change for each clause, which must violate it. Clauses that only know quirks are absent. */
const VIOLATIONS: Readonly<Record<string, Change>> = {
  '/api/v1/index: JSON': header('index', 'content-type', 'text/html'),
  '/api/v1/index: CORS': header('index', 'access-control-allow-origin', 'https://directory.test'),
  '/api/v1/index: Cache-Control': header('index', 'cache-control', 'no-store'),
  '/api/v1/index: ETag': status('index'),
  '/api/v1/plugins: JSON': header('plugins', 'content-type', 'text/plain'),
  '/api/v1/plugins: CORS': header('plugins', 'access-control-allow-origin', 'null'),
  '/api/v1/plugins: Cache-Control': header('plugins', 'cache-control', 'public, max-age=3600, s-maxage=21600'),
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
  'index: subdirectories': json('index', (index) => {
    const row = index.plugins.find(([name, , install]: string[]) => name!.includes('#') && install === null)
    row[2] = `dsh plugin --profile web add github:${row[0].split('#')[0]}`
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
    if (url.search === '') page.count = 3
  }),
  'limit: 24': withQuery(
    'limit',
    '24',
    (page) => (page.count = page.results.splice(0, page.results.length - 1).length),
  ),
  'limit: 48': withQuery('limit', '48', (page) => (page.count = 7)),
  'limit: 96': withQuery('limit', '96', (page) => (page.count = 7)),
  'limit: 100': withQuery('limit', '100', (page) => (page.count = 7)),
  'page: next': withQuery('page', '2', (page) => (page.count = 1)),
  'page: past the last': withQuery('page', '99999', (page) => (page.count = 1)),
  'q: full name': json('plugins', (page, url) => {
    if (url.searchParams.has('q')) page.results = []
  }),
  'q: narrows': withQuery('q', 'qzxjvkqzxjvk', (page) => (page.total = 3)),
  'category: filters': json('plugins', (page, url) => url.searchParams.has('category') && page.total++),
  'category: unknown': withQuery('category', 'no-such-category', (page) => (page.total = 9)),
  'installCheck: filters': withQuery('installCheck', 'passed', (page) => (page.results[0].installCheck = 'failed')),
  'installCheck: unknown': withQuery('installCheck', 'verified', (page) => (page.total = 0)),
}
/** Clauses whose departures clients survive, so they are never violated. */
const QUIRKS_ONLY = ['limit: out of range', 'page: any limit', 'q: literal']

describe('a server with one departure', () => {
  test('is tested for each clause', () => {
    expect([...Object.keys(VIOLATIONS), ...QUIRKS_ONLY].toSorted()).toEqual(CLAUSES.map(({ id }) => id).toSorted())
  })

  test.each(Object.entries(VIOLATIONS))(
    'violates the clause “%s”, with the request and the answer',
    async (id, change) => {
      const { report } = await verifyMock({}, change)
      const clause = report.clauses.find((one) => one.id === id)!
      expect(clause).toMatchObject({ result: 'violated', detail: expect.stringMatching(/\S/) })
      expect(clause.evidence?.request).toMatch(/^GET https:\/\/directory\.test\/api\/v1\/(index|plugins)/)
      expect(clauseText(clause).join()).toContain(`openapi.yaml${clause.source}`)
      expect(junitXml(report)).toContain(`failures="${report.counts.violated}"`)
    },
  )
})

test('reports every clause as violated when the server does not answer, and does not throw', async () => {
  const fetch = async () => Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }))
  const report = await verify(URL_UNDER_TEST, { fetch, pauseMs: 0 })
  expect(report.counts).toEqual({ holds: 0, quirk: 0, violated: CLAUSES.length, 'not-tested': 0 })
  expect(report.clauses[0]?.detail).toBe('is not answered: connect ECONNREFUSED')
  expect(summaryText(report)).toContain(`${CLAUSES.length} violated`)
})

test('keeps control characters of the server out of a report', async () => {
  const { report } = await verifyMock(
    {},
    json('index', (index) => (index.plugins[0][0] = 'evil\u001b[31m/\u202ename')),
  )
  for (const text of [junitXml(report), ...report.clauses.flatMap(clauseText)]) {
    expect(text).not.toContain('\u001b')
    expect(text).not.toContain('\u202e')
  }
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
  expect(times.at(-1)! - times[0]!).toBeGreaterThan(40 * (MOST_REQUESTS - 1) - 20)
})
