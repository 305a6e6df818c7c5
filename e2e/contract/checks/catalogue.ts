import assert from 'node:assert/strict'
import { INVENTED_ROWS } from '@plugmark/mock-api'
import { catalogue } from '../oracle.ts'
import { type Check, ORIGIN } from '../subject.ts'

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
  installCheck: string | null
  url: string
  repoUrl: string
}

/** The catalogue as a whole. */
export const aboutCatalogue: Check[] = [
  {
    name: 'the index has every listing of the catalogue',
    async run({ json }) {
      const index = await json<Index>('/api/v1/index')
      const expected = catalogue(INVENTED_ROWS)
      assert.equal(index.count, expected.length)
      assert.equal(index.site, ORIGIN)
      assert.deepEqual(
        index.plugins.map(([fullName, category, install, , npm]) => ({ fullName, category, install, npm })),
        expected.map(({ fullName, category, install, npm }) => ({ fullName, category, install, npm })),
      )
    },
  },
  {
    name: 'the pages of plugins say the same as the index, in its order',
    async run({ json }) {
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
    },
  },
  {
    name: 'the success rate counts what was tested, except what is not a layer',
    async run({ module, json }) {
      const count = async (verdict: string) =>
        (await json<{ total: number }>(`/api/v1/plugins?installCheck=${verdict}`)).total
      const good = (await count('passed')) + (await count('needs-approval'))
      const bad = (await count('failed')) + (await count('timeout'))
      assert(good > 0 && bad > 0)
      assert.equal(module.embeddedCatalogue().successRate, good / (good + bad))
    },
  },
  {
    name: 'generated listings are the same every time and differ by seed',
    async run({ module }) {
      const names = (size: number, seed: number) =>
        module.createCatalogue({ rows: module.generate(size, seed) }).listings.map(({ record }) => record.fullName)
      assert.equal(new Set(names(500, 7)).size, 500)
      assert.deepEqual(names(500, 7), names(500, 7))
      assert.notDeepEqual(names(500, 7), names(500, 8))
    },
  },
]
