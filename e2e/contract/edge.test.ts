/** Checks the worker on an edge runtime against the contract, with its cache. */
import { embeddedCatalogue } from '@plugmark/mock-api'
import { verify } from '@plugmark/mock-api/tools'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Edge, startEdge } from '../edge/edge.ts'
import { describeApi, ORIGIN } from './api-testing.ts'

/** Headers that the runtime adds to what it serves from its cache, or for the way to the caller. */
const HEADERS_OF_RUNTIME = ['age', 'cf-cache-status', 'date', 'content-encoding', 'content-length', 'transfer-encoding']

const started: Promise<Edge>[] = []
afterAll(() => Promise.all(started.map(async (edge) => (await edge).close())))

describeApi((catalogue) => {
  const starting = startEdge(catalogue)
  started.push(starting)
  return async ({ url, method, headers }) => {
    const response = await (await starting).fetch(url, { method, headers })
    const kept = [...response.headers].filter(([name]) => !HEADERS_OF_RUNTIME.includes(name))
    return new Response(response.body, { status: response.status, headers: kept })
  }
})

const catalogue = embeddedCatalogue()

test('holds every clause of plugmark-directory verify', async () => {
  const { url } = await started[0]!
  const { clauses } = await verify(url, { pauseMs: 0 })
  expect(clauses.filter(({ result }) => result !== 'holds')).toEqual([])
})

describe('the cache', () => {
  let edge: Edge
  beforeAll(async () => {
    edge = await startEdge({ ...catalogue, generated: '2026-08-24T06:00:00.000Z' })
  })
  afterAll(() => edge.close())
  const ask = async (path: string, init?: RequestInit) => {
    const response = await edge.fetch(ORIGIN + path, init)
    return { response, text: await response.text(), isCached: response.headers.get('cf-cache-status') === 'HIT' }
  }

  test('answers the same request again, in any order of parameters and with unknown ones', async () => {
    const first = await ask('/api/v1/plugins?limit=5&q=notes')
    const second = await ask('/api/v1/plugins?q=notes&utm=1&limit=5&mock-fault=500')
    expect([first.isCached, second.isCached]).toEqual([false, true])
    expect(second.text).toBe(first.text)
    const other = await ask('/api/v1/plugins?q=notes&limit=6')
    expect(other.isCached).toBe(false)
    expect(await ask('/api/v1/index?first')).toMatchObject({ isCached: false })
    expect(await ask('/api/v1/index?second', { method: 'HEAD' })).toMatchObject({ isCached: true, text: '' })
  })

  test('keeps no error', async () => {
    for (const path of ['/api/v1/nothing', '/api/v1/nothing']) {
      expect(await ask(path)).toMatchObject({ isCached: false, response: { status: 404 } })
    }
  })

  test('answers 304 to the validator of a cached response', async () => {
    const { response } = await ask('/api/v1/index')
    const headers = { 'if-none-match': response.headers.get('etag')! }
    expect(await ask('/api/v1/index', { headers })).toMatchObject({ response: { status: 304 }, text: '' })
  })

  test('serves nothing of an old catalogue after an update, even when its instant is the same', async () => {
    const before = await ask('/api/v1/index')
    await edge.update({ ...catalogue, listings: catalogue.listings.slice(1), generated: '2026-08-24T06:00:00.000Z' })
    const after = await ask('/api/v1/index')
    expect(JSON.parse(after.text).count).toBe(JSON.parse(before.text).count - 1)
    expect(after.response.headers.get('etag')).not.toBe(before.response.headers.get('etag'))
    await edge.update({ ...catalogue, generated: '2026-08-24T06:00:00.000Z' })
    expect(await ask('/api/v1/index'), 'the cache outlives an update').toMatchObject({ isCached: true })
  })
})
