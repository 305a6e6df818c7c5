import { afterEach, expect, test, vi } from 'vitest'
import { ABOUT, type About, EVENTS } from '../harness-channel.ts'
import { connectHost } from './harness-bridge.ts'

const ABOUT_US: About = { version: '1.0.0', problem: null, agents: null, others: [] }

let closing = new AbortController()
afterEach(() => {
  closing.abort()
  closing = new AbortController()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/**
 * Creates a host over a connection with the test's answers by endpoint, or the status with which the harness refuses.
 */
function aHost(answers: Readonly<Record<string, unknown>> | number, isLoopback?: boolean) {
  vi.stubGlobal('document', { visibilityState: 'visible', addEventListener() {} })
  let given = answers
  const calls: string[] = []
  const call = async (channel: string, endpoint: string) => {
    calls.push(endpoint)
    if (typeof given === 'number') throw new Error(`transport failure for ${channel}/${endpoint}: HTTP ${given}`)
    // A second request for events waits, as it does when there are none.
    const isWaiting = endpoint === EVENTS && calls.filter((name) => name === EVENTS).length > 1
    if (Object.hasOwn(given, endpoint) && !isWaiting) return { ok: true as const, value: given[endpoint] }
    return new Promise<never>(() => {})
  }
  const connection = isLoopback === undefined ? { rpc: { call } } : { isLoopback, rpc: { call } }
  const host = connectHost(connection, closing.signal)
  const answer = (next: typeof answers) => {
    given = next
  }
  return { host, calls, answer }
}

test.each([
  [401, undefined, 'signed-out'],
  [401, false, 'signed-out'],
  [403, false, 'far'],
  [405, false, 'far'],
  [403, true, 'none'],
  [405, undefined, 'none'],
] as const)('HTTP %i to a page whose isLoopback is %o: %s', async (status, isLoopback, expected) => {
  const { host } = aHost(status, isLoopback)
  expect(await host.about()).toBe(expected)
})

test('shows the store on a page of another origin if the harness answers it', async () => {
  const { host } = aHost({ [ABOUT]: ABOUT_US }, false)
  expect(await host.about()).toEqual(ABOUT_US)
})

test('stops after a few refusals of the harness until the page or the user retries', async () => {
  vi.useFakeTimers()
  const { host, calls, answer } = aHost(401)
  await vi.advanceTimersByTimeAsync(600_000)
  expect(calls).toEqual([EVENTS, EVENTS, EVENTS, EVENTS])
  // The new generation makes the store's screen ask for the reason.
  expect(host.feed.generation.getSnapshot()).toBe(1)
  answer({ [ABOUT]: ABOUT_US })
  await host.about()
  await vi.advanceTimersByTimeAsync(0)
  expect(calls.slice(4)).toEqual([ABOUT, EVENTS])
})

test('retries without limit while the harness is gone', async () => {
  vi.useFakeTimers()
  const { calls } = aHost(503)
  await vi.advanceTimersByTimeAsync(600_000)
  expect(calls.length).toBeGreaterThan(50)
})

test('returns the listing from which this profile has a package', async () => {
  const overview = { ok: true, value: { profile: 'web', jobs: [] } }
  const installed = {
    ok: true,
    value: [
      { name: 'a', listing: 'o/a' },
      { name: 'b', listing: null },
    ],
  }
  const events = { ok: true, value: { run: 'r', next: 0, events: [], missed: false } }
  const { host, answer } = aHost({ [EVENTS]: events, overview, installed })
  expect(await host.listingOf('a')).toBe('o/a')
  expect(await host.listingOf('b')).toBeNull()
  expect(await host.listingOf('c')).toBeNull()
  answer(405)
  expect(await host.listingOf('a')).toBeNull()
})
