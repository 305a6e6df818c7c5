import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connectTo, openIndexCache } from './directory.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 8, 1) })
})
afterEach(() => {
  vi.useRealTimers()
})

const document = JSON.stringify({
  generated: '2026-08-20T00:00:00.000Z',
  count: 1,
  site: 'https://directory.example',
  fields: ['fullName', 'category', 'install', 'path', 'npm'],
  plugins: [['moss/field', null, null, null, null]],
})

function openIndex(fetch: typeof globalThis.fetch) {
  const connect = connectTo({ baseUrl: 'https://directory.example', fetch })
  return openIndexCache({
    connect,
    folder: null,
    now: Date.now,
    signal: new AbortController().signal,
    onProblem: () => {},
  })
}

test('loads an index whose body takes 45 seconds', async () => {
  const slowly = new ReadableStream<Uint8Array>({
    async start(controller) {
      for (const part of document.match(/.{1,40}/g)!) {
        await new Promise((resolve) => setTimeout(resolve, 45_000 / (document.length / 40)))
        controller.enqueue(new TextEncoder().encode(part))
      }
      controller.close()
    },
  })
  const refreshed = openIndex(async () => new Response(slowly)).refresh()
  await vi.advanceTimersByTimeAsync(55_000)
  expect(await refreshed).toMatchObject({ state: 'fresh', count: 1, failure: null })
})

test('tries once more when the connection breaks', async () => {
  const fetch = vi.fn<typeof globalThis.fetch>().mockRejectedValueOnce(new TypeError('Failed to fetch'))
  fetch.mockImplementation(async () => new Response(document))
  const refreshed = openIndex(fetch).refresh()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await refreshed).toMatchObject({ state: 'fresh' })
  expect(fetch).toHaveBeenCalledTimes(2)
})
