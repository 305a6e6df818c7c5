import { setupWorker } from 'msw/browser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { embeddedCatalogue } from './catalogue/embedded.ts'
import { EXPECTED_OUTCOMES, probeFetch } from './expected-outcomes-testing.ts'
import { FAULTS } from './faults.ts'
import { createHandlers } from './handlers.ts'

const API = 'https://directory.test/api/v1'
const catalogue = embeddedCatalogue({ site: 'https://directory.test' })
const worker = setupWorker(...createHandlers({ catalogue }))
beforeAll(() => worker.start({ quiet: true, onUnhandledFrame: 'bypass' }))
afterAll(async () => {
  // worker.stop() would wait for the request of the fault `hang`, which never ends.
  for (const registration of await navigator.serviceWorker.getRegistrations()) await registration.unregister()
})

test('responds to a page by setupWorker', async () => {
  const response = await fetch(`${API}/index`)
  expect(response.headers.get('cache-control')).toContain('max-age=3600')
  expect((await response.json()).count).toBe(catalogue.listings.length)
})

test.for(FAULTS)('shows a page behind setupWorker the expected outcome of %s', async (fault) => {
  const requested = fault === 'slow' ? 'slow:80' : fault
  const timeoutMs = fault === 'hang' ? 300 : 20_000
  const outcome = await probeFetch([`${API}/index?mock-fault=${requested}`, timeoutMs, 75])
  expect(outcome).toBe(EXPECTED_OUTCOMES[fault].setupWorker)
})
