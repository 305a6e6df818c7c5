import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { embeddedCatalogue } from '../catalogue/embedded.ts'
import { FAULT_PARAMETER, FAULTS } from '../http/faults.ts'
import { createHandlers, faultHandler } from '../http/handlers.ts'
import { observe } from './observe.ts'
import { FAULT_TABLE } from './table.ts'

const API = 'https://directory.test/api/v1'
const server = setupServer(...createHandlers({ catalogue: embeddedCatalogue() }))
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

test.for(FAULTS)('setupServer: %s looks as the table has it', async (fault) => {
  const asked = fault === 'slow' ? 'slow:80' : fault
  // A hang is known by nothing coming; the others are waited for as long as they take.
  const patience = fault === 'hang' ? 300 : 20_000
  const seen = await observe([`${API}/index?${FAULT_PARAMETER}=${asked}`, patience, 75])
  expect(seen).toBe(FAULT_TABLE[fault].setupServer)
})

test('server.use puts a fault before the answers, once or until it is reset', async () => {
  const status = async () => (await fetch(`${API}/plugins`)).status
  server.use(faultHandler('500', { once: true }))
  expect([await status(), await status()]).toEqual([500, 200])
  server.use(faultHandler('busy'))
  expect([await status(), await status()]).toEqual([503, 503])
  server.resetHandlers()
  expect(await status()).toBe(200)
})

test('an address beside the API is not answered', async () => {
  // MSW explains itself at length.
  vi.spyOn(console, 'error').mockImplementation(() => {})
  await expect(fetch('https://directory.test/elsewhere')).rejects.toThrow()
})
