import { setupWorker } from 'msw/browser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHandlers, embeddedCatalogue, FAULTS } from '../index.ts'
import { observe } from './observe.ts'
import { FAULT_TABLE } from './table.ts'

const API = 'https://directory.test/api/v1'
const catalogue = embeddedCatalogue({ site: 'https://directory.test' })
const worker = setupWorker(...createHandlers({ catalogue }))
beforeAll(() => worker.start({ quiet: true, onUnhandledFrame: 'bypass' }))
afterAll(async () => {
  // Not worker.stop(): it waits for the request that hangs, and that is kept from ending.
  for (const registration of await navigator.serviceWorker.getRegistrations()) await registration.unregister()
})

test('setupWorker answers a page', async () => {
  const answer = await fetch(`${API}/index`)
  expect(answer.headers.get('cache-control')).toContain('max-age=3600')
  expect((await answer.json()).count).toBe(catalogue.listings.length)
})

test.for(FAULTS)('setupWorker: %s looks as the table has it', async (fault) => {
  const asked = fault === 'slow' ? 'slow:80' : fault
  const patience = fault === 'hang' ? 300 : 20_000
  const seen = await observe([`${API}/index?mock-fault=${asked}`, patience, 75])
  expect(seen).toBe(FAULT_TABLE[fault].setupWorker)
})
