import { describe, expect, it, vi } from 'vitest'
import { managerFetch } from './fetch.ts'
import type { ManagerRequest, ManagerXhr } from './types.ts'

const URL_ = 'https://directory.example/api/v1/index'
const OPTIONS = { timeoutMs: 1000, maxBytes: 1000 }

/** A manager that shows the request it was given and lets the test end it. */
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
  return { xhr, abort, request: () => requests[0]!, reject: (error: unknown) => promise!.reject(error) }
}

const answer = { status: 200 }

describe('fetch over a manager', () => {
  it('asks with the method, address and headers of the request, without cookies', async () => {
    const { xhr, request } = manager()
    const asked = managerFetch(xhr, OPTIONS)(new Request(URL_, { headers: { accept: 'application/json' } }))
    request().onload({ ...answer, response: new Blob(['{}']) })
    await asked
    expect(request()).toMatchObject({
      method: 'GET',
      url: URL_,
      headers: { accept: 'application/json' },
      anonymous: true,
      timeout: 1000,
    })
  })

  it.each([
    ['a blob', { response: new Blob(['käse']) }],
    ['text, whatever was asked for', { response: 'käse' }],
    ['responseText only', { responseText: 'käse' }],
  ])('gives the body of a manager that sends %s', async (_, body) => {
    const { xhr, request } = manager()
    const asked = managerFetch(xhr, OPTIONS)(URL_)
    request().onload({ ...answer, ...body })
    expect(await (await asked).text()).toBe('käse')
  })

  it('gives the status', async () => {
    const { xhr, request } = manager()
    const asked = managerFetch(xhr, OPTIONS)(URL_)
    request().onload({ status: 503, response: new Blob() })
    expect(await asked).toMatchObject({ status: 503, ok: false })
  })

  it.each([204, 304])('gives an answer without a body for %d', async (status) => {
    const { xhr, request } = manager()
    const asked = managerFetch(xhr, OPTIONS)(URL_)
    request().onload({ ...answer, status, response: new Blob(['x']) })
    expect((await asked).body).toBeNull()
  })

  it.each([
    ['the manager reports an error', (request: ManagerRequest) => request.onerror({ error: 'refused' })],
    ['the manager gives up', (request: ManagerRequest) => request.ontimeout()],
    ['the manager aborts', (request: ManagerRequest) => request.onabort()],
    ['a status that is none', (request: ManagerRequest) => request.onload({ ...answer, status: 0, response: '' })],
  ])('fails like a connection when %s', async (_, end) => {
    const { xhr, request } = manager()
    const asked = managerFetch(xhr, OPTIONS)(URL_)
    end(request())
    await expect(asked).rejects.toThrow(new TypeError('Failed to fetch'))
  })

  it('fails like a connection when the manager throws, as on a host it may not connect to', async () => {
    const refusing: ManagerXhr = () => {
      throw new Error('not connected')
    }
    await expect(managerFetch(refusing, OPTIONS)(URL_)).rejects.toThrow(new TypeError('Failed to fetch'))
  })

  it('fails once where a manager tells its failure by callback and by promise', async () => {
    const { xhr, request, reject } = manager('GM.')
    const asked = managerFetch(xhr, OPTIONS)(URL_)
    request().onerror({ error: 'refused' })
    reject(new Error('refused'))
    await expect(asked).rejects.toThrow(new TypeError('Failed to fetch'))
  })

  it('ends with the signal’s reason and stops the manager', async () => {
    const { xhr, abort } = manager()
    const controller = new AbortController()
    const asked = managerFetch(xhr, OPTIONS)(URL_, { signal: controller.signal })
    controller.abort(new DOMException('enough', 'TimeoutError'))
    await expect(asked).rejects.toThrow('enough')
    expect(abort).toHaveBeenCalledOnce()
  })

  it('asks nothing when the signal is aborted already', async () => {
    const { xhr, request } = manager()
    await expect(managerFetch(xhr, OPTIONS)(URL_, { signal: AbortSignal.abort() })).rejects.toThrow('abort')
    expect(request()).toBeUndefined()
  })

  it('stops a body that grows too large, and gives one its reader refuses', async () => {
    const { xhr, request, abort } = manager()
    const asked = managerFetch(xhr, OPTIONS)(URL_)
    request().onprogress({ loaded: 1000, total: 0 })
    expect(abort).not.toHaveBeenCalled()
    request().onprogress({ loaded: 1001, total: 0 })
    expect(abort).toHaveBeenCalledOnce()
    expect((await (await asked).arrayBuffer()).byteLength).toBe(OPTIONS.maxBytes + 1)
  })
})
