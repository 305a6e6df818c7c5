/** Tests what the contract says of an API: on the mock, and on the worker of an edge network. */
import assert from 'node:assert/strict'
import { type Catalogue, createCatalogue, embeddedCatalogue, generate, INVENTED_ROWS } from '@plugmark/mock-api'
import { CATEGORIES, VERDICTS } from '@plugmark/shared/contract'
import fc from 'fast-check'
import { test } from 'vitest'
import { violations } from './conform.ts'
import { answer, catalogue } from './oracle.ts'

/** Address at which the API under test seems to be. */
export const ORIGIN = 'https://directory.test'

type Send = (request: Request) => Promise<Response | undefined>

interface Index {
  count: number
  site: string
  fields: string[]
  plugins: (string | null)[][]
}
interface Record {
  fullName: string
  category: string | null
  install: string | null
  npmPackage: string | null
  url: string
  repoUrl: string
}
interface Page {
  total: number
  count: number
  results: Record[]
}

const ENDPOINTS = ['/api/v1/plugins', '/api/v1/index']
const TEXTS = catalogue(INVENTED_ROWS).flatMap(({ texts }) => texts.filter((text) => text != null))
const COMMANDS = new Map(catalogue(INVENTED_ROWS).map(({ fullName, install }) => [fullName, install]))

const weird = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    '',
    '0',
    '-1',
    '1e2',
    'NaN',
    '0x10',
    '1.5',
    ' 5',
    '007',
    '9'.repeat(30),
    '%',
    '_',
    'a%b',
    "' or 1=1 --",
    'null',
  ),
)
/** A piece of what is searched, in any case. */
const piece = fc
  .tuple(
    fc.constantFrom(...TEXTS),
    fc.nat(200),
    fc.integer({ min: 1, max: 12 }),
    fc.constantFrom('as', 'upper', 'lower'),
  )
  .map(([text, from, length, form]) => {
    const cut = text.slice(from % text.length, (from % text.length) + length)
    return form === 'as' ? cut : form === 'upper' ? cut.toUpperCase() : cut.toLowerCase()
  })
const narrowing = {
  q: fc.oneof({ weight: 3, arbitrary: piece }, weird),
  category: fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...CATEGORIES, 'voice') }, weird),
  installCheck: fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...VERDICTS) }, weird),
}
const query = fc.record(
  {
    ...narrowing,
    limit: fc.oneof(fc.integer({ min: -3, max: 130 }).map(String), weird),
    page: fc.oneof(fc.integer({ min: -2, max: 9 }).map(String), weird),
  },
  { requiredKeys: [] },
)
const filter = fc.record(
  { q: piece, category: narrowing.category, installCheck: narrowing.installCheck },
  { requiredKeys: [] },
)

/** A seed of its own for each run would miss a fault now and then; failures print the one used. */
const RUNS = { seed: 20261121, numRuns: 300 } as const

/**
 * Tests an API. An answer that openapi.yaml does not allow fails the test that asked.
 *
 * @param over returns what sends requests to an API over a catalogue
 */
export function describeApi(over: (catalogue: Catalogue) => Send): void {
  const embedded = over(embeddedCatalogue())
  async function ask(path: string, init?: RequestInit, send = embedded) {
    const request = new Request(ORIGIN + path, init)
    const response = await send(request)
    assert(response, `${path} is not answered`)
    assert.deepEqual(await violations(request, response), [], `${request.method} ${path} breaks openapi.yaml`)
    return response
  }
  const json = async <T>(path: string, send = embedded): Promise<T> => (await ask(path, {}, send)).json()
  const list = (parameters: { [name: string]: string }) =>
    json<Page>(`/api/v1/plugins?${new URLSearchParams(parameters)}`)

  test('HEAD has the headers of GET and no body', async () => {
    for (const path of ENDPOINTS) {
      const [get, head] = [await ask(path), await ask(path, { method: 'HEAD' })]
      assert.equal(head.status, 200)
      assert.deepEqual([...head.headers], [...get.headers])
    }
  })

  test('a validator is honoured, alone, in a list, strong, weak and as a star', async () => {
    for (const path of ENDPOINTS) {
      const etag = (await ask(path)).headers.get('etag')!
      for (const value of [etag, `"x", ${etag}`, etag.replace('W/', ''), '*']) {
        assert.equal((await ask(path, { headers: { 'if-none-match': value } })).status, 304, value)
      }
      assert.equal((await ask(path, { headers: { 'if-none-match': 'W/"another"' } })).status, 200)
    }
  })

  test('answers that differ have different validators', async () => {
    const paths = [...ENDPOINTS, ...[1, 2, 3].map((page) => `/api/v1/plugins?limit=7&page=${page}`)]
    const etags = await Promise.all(paths.map(async (path) => (await ask(path)).headers.get('etag')))
    assert.equal(new Set(etags).size, paths.length)
  })

  test('other methods are 405, other paths 404, and both say so', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      for (const path of ENDPOINTS) assert.equal((await ask(path, { method })).status, 405)
    }
    for (const path of ['/api/v1/', '/api/v1/nothing', '/api/v1/plugins/some-slug', '/api/v1/index/2']) {
      assert.equal((await ask(path)).status, 404, path)
    }
    assert.match((await json<{ error: string }>('/api/v1/nothing')).error, /\/api\/v1\/plugins/)
  })

  test('a preflight is answered', async () => {
    for (const path of ENDPOINTS) assert.equal((await ask(path, { method: 'OPTIONS' })).status, 204)
  })

  test('the index has every listing of the catalogue', async () => {
    const index = await json<Index>('/api/v1/index')
    const expected = catalogue(INVENTED_ROWS)
    assert.equal(index.count, expected.length)
    assert.equal(index.site, ORIGIN)
    assert.deepEqual(
      index.plugins.map(([fullName, category, install, , npm]) => ({ fullName, category, install, npm })),
      expected.map(({ fullName, category, install, npm }) => ({ fullName, category, install, npm })),
    )
  })

  test('the pages of plugins say the same as the index, in its order', async () => {
    const { plugins } = await json<Index>('/api/v1/index')
    const { results } = await json<{ results: Record[] }>('/api/v1/plugins?limit=100')
    assert.equal(results.length, plugins.length)
    results.forEach((record, i) => {
      const [fullName, category, install, path, npm] = plugins[i]!
      assert.deepEqual(
        [record.fullName, record.category, record.install, record.npmPackage],
        [fullName, category, install, npm],
      )
      assert.equal(record.url, path === null ? record.repoUrl : ORIGIN + path)
    })
  })

  test('limit 20, page 2 is rows 21 to 40', async () => {
    const all = await list({ limit: '100' })
    const page = await list({ limit: '20', page: '2' })
    assert.deepEqual(page.results, all.results.slice(20, 40))
    assert.deepEqual(await list({ page: '2' }), page)
  })

  test('limit and page out of range are as the document says', async () => {
    const usual = await list({})
    assert.equal(usual.results.length, 20)
    for (const limit of ['0', '-5', '2.5', 'all', '']) assert.deepEqual(await list({ limit }), usual, limit)
    for (const page of ['0', '-1', '1.5', 'last', '']) assert.deepEqual(await list({ page }), usual, page)
    const beyond = await list({ limit: '5000' })
    assert.deepEqual(beyond, await list({ limit: '100' }))
    const past = await list({ page: '4000' })
    assert.deepEqual(past, { total: usual.total, count: 0, results: [] })
  })

  test('at most 100 rows, however many there are', async () => {
    const many = over(createCatalogue({ rows: generate(250) }))
    assert.equal((await json<Page>('/api/v1/plugins?limit=200', many)).results.length, 100)
  })

  test('q folds case in any script and takes % and _ literally', async () => {
    const total = async (q: string) => (await list({ q })).total
    assert(await total('harbor'))
    assert.equal(await total('HARBOR'), await total('harbor'))
    assert.equal(await total('KJØRER'), 1)
    assert.equal(await total('会话'), answer(INVENTED_ROWS, new URLSearchParams({ q: '会话' })).total)
    assert.deepEqual([await total('h%r'), await total('h_rbor')], [0, 0])
  })

  test('every query is answered as a plain reading of the contract has it', () =>
    fc.assert(
      fc.asyncProperty(query, async (parameters) => {
        const page = await list(parameters)
        const expected = answer(INVENTED_ROWS, new URLSearchParams(parameters))
        assert.deepEqual({ total: page.total, names: page.results.map((r) => r.fullName) }, expected)
        assert.equal(page.count, page.results.length)
        for (const { fullName, install } of page.results) assert.equal(install, COMMANDS.get(fullName))
      }),
      RUNS,
    ))

  test('pages partition the result', () =>
    fc.assert(
      fc.asyncProperty(filter, fc.integer({ min: 1, max: 100 }), async (parameters, limit) => {
        const names: string[] = []
        for (let page = 1; ; page++) {
          const { total, results } = await list({ ...parameters, limit: `${limit}`, page: `${page}` })
          names.push(...results.map(({ fullName }) => fullName))
          if (results.length > 0) continue
          assert.equal(names.length, total)
          assert.equal(new Set(names).size, total)
          return
        }
      }),
      { ...RUNS, numRuns: 40 },
    ))
}
