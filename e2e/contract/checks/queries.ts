import assert from 'node:assert/strict'
import { INVENTED_ROWS } from '@plugmark/mock-api'
import { CATEGORIES, VERDICTS } from '@plugmark/shared/contract'
import fc from 'fast-check'
import { answer, catalogue } from '../oracle.ts'
import type { Check, Subject } from '../subject.ts'

interface Page {
  total: number
  count: number
  results: { fullName: string; install: string | null }[]
}

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

const list = ({ json }: Subject, parameters: Record<string, string>) =>
  json<Page>(`/api/v1/plugins?${new URLSearchParams(parameters)}`)

/** A seed of its own for each run would make a mutant survive now and then; failures print the one used. */
const RUNS = { seed: 20261121, numRuns: 300 } as const

/** `GET /api/v1/plugins`. */
export const aboutQueries: Check[] = [
  {
    name: 'limit 20, page 2 is rows 21 to 40',
    async run(subject) {
      const all = await list(subject, { limit: '100' })
      const page = await list(subject, { limit: '20', page: '2' })
      assert.deepEqual(page.results, all.results.slice(20, 40))
      assert.deepEqual(await list(subject, { page: '2' }), page)
    },
  },
  {
    name: 'limit and page out of range are as the document says',
    async run(subject) {
      const usual = await list(subject, {})
      assert.equal(usual.results.length, 20)
      for (const limit of ['0', '-5', '2.5', 'all', '']) assert.deepEqual(await list(subject, { limit }), usual, limit)
      for (const page of ['0', '-1', '1.5', 'last', '']) assert.deepEqual(await list(subject, { page }), usual, page)
      const beyond = await list(subject, { limit: '5000' })
      assert.deepEqual(beyond, await list(subject, { limit: '100' }))
      const past = await list(subject, { page: '4000' })
      assert.deepEqual(past, { total: usual.total, count: 0, results: [] })
    },
  },
  {
    name: 'at most 100 rows, however many there are',
    async run({ module, over }) {
      const { json } = over(module.createCatalogue({ rows: module.generate(250) }))
      assert.equal((await json<Page>('/api/v1/plugins?limit=200')).results.length, 100)
    },
  },
  {
    name: 'q folds case in any script and takes % and _ literally',
    async run(subject) {
      const total = async (q: string) => (await list(subject, { q })).total
      assert(await total('harbor'))
      assert.equal(await total('HARBOR'), await total('harbor'))
      assert.equal(await total('KJØRER'), 1)
      assert.equal(await total('会话'), answer(INVENTED_ROWS, new URLSearchParams({ q: '会话' })).total)
      assert.deepEqual([await total('h%r'), await total('h_rbor')], [0, 0])
    },
  },
  {
    name: 'every query is answered as a plain reading of the contract has it',
    run: (subject) =>
      fc.assert(
        fc.asyncProperty(query, async (parameters) => {
          const page = await list(subject, parameters)
          const expected = answer(INVENTED_ROWS, new URLSearchParams(parameters))
          assert.deepEqual({ total: page.total, names: page.results.map((r) => r.fullName) }, expected)
          assert.equal(page.count, page.results.length)
          for (const { fullName, install } of page.results) assert.equal(install, COMMANDS.get(fullName))
        }),
        RUNS,
      ),
  },
  {
    name: 'pages partition the result',
    run: (subject) =>
      fc.assert(
        fc.asyncProperty(filter, fc.integer({ min: 1, max: 100 }), async (parameters, limit) => {
          const names: string[] = []
          for (let page = 1; ; page++) {
            const { total, results } = await list(subject, { ...parameters, limit: `${limit}`, page: `${page}` })
            names.push(...results.map(({ fullName }) => fullName))
            if (results.length > 0) continue
            assert.equal(names.length, total)
            assert.equal(new Set(names).size, total)
            return
          }
        }),
        { ...RUNS, numRuns: 40 },
      ),
  },
]
