import assert from 'node:assert/strict'
import type { Check } from '../subject.ts'

const ENDPOINTS = ['/api/v1/plugins', '/api/v1/index']

/** Methods, headers and errors. */
export const aboutHttp: Check[] = [
  {
    name: 'HEAD has the headers of GET and no body',
    async run({ ask }) {
      for (const path of ENDPOINTS) {
        const [get, head] = [await ask(path), await ask(path, { method: 'HEAD' })]
        assert.equal(head.status, 200)
        assert.deepEqual([...head.headers], [...get.headers])
      }
    },
  },
  {
    name: 'a validator is honoured, alone, in a list, strong, weak and as a star',
    async run({ ask }) {
      for (const path of ENDPOINTS) {
        const etag = (await ask(path)).headers.get('etag')!
        for (const value of [etag, `"x", ${etag}`, etag.replace('W/', ''), '*']) {
          assert.equal((await ask(path, { headers: { 'if-none-match': value } })).status, 304, value)
        }
        assert.equal((await ask(path, { headers: { 'if-none-match': 'W/"another"' } })).status, 200)
      }
    },
  },
  {
    name: 'answers that differ have different validators',
    async run({ ask }) {
      const paths = [...ENDPOINTS, ...[1, 2, 3].map((page) => `/api/v1/plugins?limit=7&page=${page}`)]
      const etags = await Promise.all(paths.map(async (path) => (await ask(path)).headers.get('etag')))
      assert.equal(new Set(etags).size, paths.length)
    },
  },
  {
    name: 'other methods are 405, other paths 404, and both say so',
    async run({ ask, json }) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        for (const path of ENDPOINTS) assert.equal((await ask(path, { method })).status, 405)
      }
      for (const path of ['/api/v1/', '/api/v1/nothing', '/api/v1/plugins/some-slug', '/api/v1/index/2']) {
        assert.equal((await ask(path)).status, 404, path)
      }
      assert.match((await json<{ error: string }>('/api/v1/nothing')).error, /\/api\/v1\/plugins/)
    },
  },
  {
    name: 'a preflight is answered',
    async run({ ask }) {
      for (const path of ENDPOINTS) assert.equal((await ask(path, { method: 'OPTIONS' })).status, 204)
    },
  },
]
