/** Checks the mock against the contract with the operator's own command, in each way of serving it in Node. */
import { createHandlers, embeddedCatalogue } from '@plugmark/mock-api'
import { startMockServer } from '@plugmark/mock-api/node'
import { MOST_REQUESTS, verify } from '@plugmark/mock-api/tools'
import { setupServer } from 'msw/node'
import { expect, test } from 'vitest'

test('the stand-alone server holds every clause', async () => {
  const server = await startMockServer()
  try {
    const { counts, clauses } = await verify(server.url, { pauseMs: 0 })
    expect(clauses.filter(({ result }) => result !== 'holds')).toEqual([])
    expect(counts.holds).toBe(clauses.length)
    expect(server.requests).toHaveLength(MOST_REQUESTS)
    expect(server.requests.every(({ method }) => method === 'GET')).toBe(true)
  } finally {
    await server.close()
  }
})

test('the stand-alone server with the quirks of the live service violates no clause', async () => {
  const server = await startMockServer({ quirks: 'live' })
  try {
    const { counts, clauses } = await verify(server.url, { pauseMs: 0 })
    expect(clauses.filter(({ result }) => result === 'violated')).toEqual([])
    expect(counts.quirk).toBeGreaterThan(3)
  } finally {
    await server.close()
  }
})

test('MSW in Node holds every clause', async () => {
  const baseUrl = 'https://directory.test/dir'
  const node = setupServer(...createHandlers({ catalogue: embeddedCatalogue(), baseUrl }))
  node.listen({ onUnhandledFrame: 'bypass' })
  try {
    const { clauses } = await verify(baseUrl, { pauseMs: 0 })
    expect(clauses.filter(({ result }) => result !== 'holds')).toEqual([])
  } finally {
    node.close()
  }
})
