import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { embeddedCatalogue } from '../invented/invented.ts'
import { EXPECTED_OUTCOMES, probeFetch } from './expected-outcomes-testing.ts'
import { FAULT_PARAMETER, FAULTS } from './faults.ts'
import { createHandlers, faultHandler } from './live-service.ts'

const API = 'https://directory.test/api/v1'
const server = setupServer(...createHandlers({ catalogue: embeddedCatalogue() }))
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

test.for(FAULTS)('shows a caller of setupServer the expected outcome of %s', async (fault) => {
  const requested = fault === 'slow' ? 'slow:80' : fault
  // A hang is detected by a timeout; the other faults take as long as they need.
  const timeoutMs = fault === 'hang' ? 300 : 20_000
  const outcome = await probeFetch(`${API}/index?${FAULT_PARAMETER}=${requested}`, timeoutMs, 75)
  expect(outcome).toBe(EXPECTED_OUTCOMES[fault])
})

test('adds a fault by server.use, for one request or until it is reset', async () => {
  const status = async () => (await fetch(`${API}/plugins`)).status
  server.use(faultHandler('500', { once: true }))
  expect([await status(), await status()]).toEqual([500, 200])
  server.use(faultHandler('busy'))
  expect([await status(), await status()]).toEqual([503, 503])
  server.resetHandlers()
  expect(await status()).toBe(200)
})

test('does not handle an address outside the API', async () => {
  // MSW logs an explanation.
  vi.spyOn(console, 'error').mockImplementation(() => {})
  await expect(fetch('https://directory.test/elsewhere')).rejects.toThrow()
})
