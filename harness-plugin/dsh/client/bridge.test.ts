import { afterEach, expect, test, vi } from 'vitest'
import { ABOUT, type About, EVENTS } from '../channel.ts'
import { connectHost } from './bridge.ts'

const ABOUT_US: About = { version: '1.0.0', problem: null, agents: null, others: [] }

let closing = new AbortController()
afterEach(() => {
  closing.abort()
  closing = new AbortController()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A host over a connection whose answers a test gives by the endpoint, or the status that the harness refuses with. */
function aHost(answers: Readonly<Record<string, unknown>> | number, isLoopback?: boolean) {
  vi.stubGlobal('document', { visibilityState: 'visible', addEventListener() {} })
  let given = answers
  const calls: string[] = []
  const call = async (channel: string, endpoint: string) => {
    calls.push(endpoint)
    if (typeof given === 'number') throw new Error(`transport failure for ${channel}/${endpoint}: HTTP ${given}`)
    // A second question for events waits, as at a host that has none.
    const isWaiting = endpoint === EVENTS && calls.filter((name) => name === EVENTS).length > 1
    if (endpoint in given && !isWaiting) return { ok: true as const, value: given[endpoint] }
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

test('a page of another origin has the store where the harness answers it', async () => {
  const { host } = aHost({ [ABOUT]: ABOUT_US }, false)
  expect(await host.about()).toEqual(ABOUT_US)
})

test('a harness that refuses is left alone after a few questions, until the page or a person asks again', async () => {
  vi.useFakeTimers()
  const { host, calls, answer } = aHost(401)
  await vi.advanceTimersByTimeAsync(600_000)
  expect(calls).toEqual([EVENTS, EVENTS, EVENTS, EVENTS])
  // Whoever shows the store asks what is wrong.
  expect(host.feed.generation.getSnapshot()).toBe(1)
  answer({ [ABOUT]: ABOUT_US })
  await host.about()
  await vi.advanceTimersByTimeAsync(0)
  expect(calls.slice(4)).toEqual([ABOUT, EVENTS])
})

test('a harness that is gone is asked again for as long as it takes', async () => {
  vi.useFakeTimers()
  const { calls } = aHost(503)
  await vi.advanceTimersByTimeAsync(600_000)
  expect(calls.length).toBeGreaterThan(50)
})

test('the listing of a package is that which this profile has it from', async () => {
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
