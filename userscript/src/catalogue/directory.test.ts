import { getIndex } from '@plugmark/shared/client/core'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ManagerRequest, ManagerXhr } from '../manager/manager.ts'
import { managerSend } from './directory.ts'

const API = 'https://directory.example'
const URL_ = `${API}/api/v1/index`
const OPTIONS = { timeoutMs: 1000, maxBytes: 1000 }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Creates a manager that exposes its request, and lets the test end it. */
function manager(style: 'GM_' | 'GM.' = 'GM_') {
  const abort = vi.fn()
  let promise: PromiseWithResolvers<unknown> | undefined
  const requests: ManagerRequest[] = []
  const xhr: ManagerXhr = (request) => {
    requests.push(request)
    if (style === 'GM_') return { abort }
    promise = Promise.withResolvers()
    return Object.assign(promise.promise, { abort })
  }
  return { xhr, abort, requests, request: () => requests[0]!, reject: (error: unknown) => promise!.reject(error) }
}

/** Sends a request through it; `failure` resolves to the error that callers get. */
const ask = (xhr: ManagerXhr) => managerSend(xhr, OPTIONS)(URL_, {})
const failure = (xhr: ManagerXhr) =>
  getIndex(managerSend(xhr, OPTIONS), API, {}).then(
    () => expect.unreachable('the request should have failed'),
    (error: unknown) => error,
  )

it('requests the address, without cookies and without headers that need a preflight', async () => {
  const { xhr, request } = manager()
  const asked = ask(xhr)
  request().onload({ status: 200, response: new Blob(['{}']) })
  await asked
  expect(request()).toMatchObject({
    method: 'GET',
    url: URL_,
    headers: { accept: 'application/json' },
    anonymous: true,
    timeout: 60_000,
  })
})

it.each([
  ['a blob', { response: new Blob(['käse']) }, 'käse'],
  ['text, whatever was asked for', { response: 'käse' }, 'käse'],
  ['responseText only', { responseText: 'käse' }, 'käse'],
  ['nothing', {}, ''],
])('returns the body when the manager sends %s', async (_, body, text) => {
  const { xhr, request } = manager()
  const asked = ask(xhr)
  request().onload({ status: 200, ...body })
  expect(await asked).toEqual({ status: 200, text })
})

it.each([
  [503, { kind: 'http', status: 503, message: expect.stringContaining('try again later') }],
  [404, { kind: 'http', status: 404, message: expect.stringContaining('Check the directory address') }],
  [304, { kind: 'http', status: 304 }],
  [0, { kind: 'network', status: null }],
])('fails for status %d', async (status, expected) => {
  const { xhr, request } = manager()
  const failed = failure(xhr)
  request().onload({ status, response: new Blob(['{}']) })
  expect(await failed).toMatchObject(expected)
})

it.each([
  ['the manager reports an error', (request: ManagerRequest) => request.onerror({ error: 'refused' })],
  ['the manager gives up', (request: ManagerRequest) => request.ontimeout()],
  ['the manager aborts', (request: ManagerRequest) => request.onabort()],
])('fails like a network error when %s', async (_, end) => {
  const { xhr, request } = manager()
  const failed = failure(xhr)
  end(request())
  expect(await failed).toMatchObject({ kind: 'network', message: expect.stringContaining('could not be reached') })
})

it('fails like a network error when the manager throws, as for a host it may not connect to', async () => {
  const refusing: ManagerXhr = () => {
    throw new Error('not connected')
  }
  expect(await failure(refusing)).toMatchObject({ kind: 'network' })
})

it('fails once when a manager reports a failure by callback and by promise', async () => {
  const { xhr, request, reject } = manager('GM.')
  const failed = failure(xhr)
  request().onerror({ error: 'refused' })
  reject(new Error('refused'))
  expect(await failed).toMatchObject({ kind: 'network' })
})

it('ends a request that takes too long, and stops the manager', async () => {
  const { xhr, abort } = manager()
  const failed = failure(xhr)
  await vi.advanceTimersByTimeAsync(999)
  expect(abort).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(await failed).toMatchObject({ kind: 'timeout' })
  expect(abort).toHaveBeenCalledOnce()
})

it('takes the answer of a manager that calls onloadend alone', async () => {
  const { xhr, request } = manager()
  const asked = ask(xhr)
  request().onloadend({ status: 200, response: '{}' })
  expect(await asked).toEqual({ status: 200, text: '{}' })
})

it('fails like a network error when a manager ends a request without a response', async () => {
  const { xhr, request } = manager()
  const failed = failure(xhr)
  request().onloadend({ status: 0 })
  expect(await failed).toMatchObject({ kind: 'network' })
})

it('sends a request again, once, that a manager has swallowed, and takes the first answer', async () => {
  const sent: ManagerRequest[] = []
  const aborted: number[] = []
  const swallowing: ManagerXhr = (request) => {
    const number = sent.push(request)
    return { abort: () => aborted.push(number) }
  }
  const asked = managerSend(swallowing, { ...OPTIONS, timeoutMs: 30_000 })(URL_, {})
  await vi.advanceTimersByTimeAsync(4_999)
  expect(sent).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(sent).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(sent).toHaveLength(2)
  sent[1]!.onload({ status: 200, response: '{}' })
  expect(await asked).toEqual({ status: 200, text: '{}' })
  expect(aborted).toEqual([1])
})

it('sends a request once whose answer has begun', async () => {
  const { xhr, requests } = manager()
  const asked = managerSend(xhr, { ...OPTIONS, timeoutMs: 30_000 })(URL_, {})
  requests[0]!.onprogress({ loaded: 1 })
  await vi.advanceTimersByTimeAsync(20_000)
  expect(requests).toHaveLength(1)
  requests[0]!.onload({ status: 200, response: '{}' })
  expect(await asked).toEqual({ status: 200, text: '{}' })
})

it('returns an answer although the manager later refuses to abort', async () => {
  const { xhr, request, abort } = manager()
  abort.mockImplementation(() => {
    throw new Error('It is over.')
  })
  const asked = ask(xhr)
  request().onload({ status: 200, response: '{}' })
  await vi.advanceTimersByTimeAsync(2000)
  expect(await asked).toEqual({ status: 200, text: '{}' })
})

it('stops a body as soon as it is too large', async () => {
  const { xhr, request, abort } = manager()
  const failed = failure(xhr)
  request().onprogress({ loaded: 1000, total: 0 })
  expect(abort).not.toHaveBeenCalled()
  request().onprogress({ loaded: 1001, total: 0 })
  expect(abort).toHaveBeenCalledOnce()
  expect(await failed).toMatchObject({ kind: 'invalid', message: expect.stringContaining('more than 1000 bytes') })
})

it('refuses a body that is too large although the manager reported no progress', async () => {
  const { xhr, request } = manager()
  const failed = failure(xhr)
  request().onload({ status: 200, response: new Blob(['x'.repeat(1001)]) })
  expect(await failed).toMatchObject({ kind: 'invalid' })
})
