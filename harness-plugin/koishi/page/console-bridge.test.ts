import { afterEach, expect, test, vi } from 'vitest'
import { bridge, shellStatus } from './console-bridge.ts'

// The console provides this module, and no package of it is installed.
const client = vi.hoisted(() => ({ send: vi.fn<(event: string, input?: object) => unknown>(), receive: vi.fn() }))
vi.mock('@koishijs/client', () => client)
afterEach(() => vi.resetAllMocks())

test('a call without a connection is refused, and not left without an answer', async () => {
  client.send.mockReturnValue(undefined)
  expect(await bridge.call('refresh', {})).toMatchObject({ ok: false, code: 'internal' })
  expect(await shellStatus()).toEqual({ jobs: [], upgrade: null })
})

test('a call that the console forbids is refused as unauthorized', async () => {
  client.send.mockRejectedValue('unauthorized')
  expect(await bridge.call('refresh', {})).toMatchObject({ ok: false, code: 'unauthorized' })
})

test('a call without an answer is refused after the time limit of the console', async () => {
  client.send.mockRejectedValue(new Error('timeout'))
  expect(await bridge.call('refresh', {})).toMatchObject({ ok: false, code: 'internal' })
})

test('a call passes its input on and returns the answer of the host', async () => {
  client.send.mockResolvedValue({ ok: true, value: 'x' })
  expect(await bridge.call('listings', { from: 4 })).toEqual({ ok: true, value: 'x' })
  expect(client.send).toHaveBeenCalledExactlyOnceWith('plugmark/listings', { from: 4 })
})
