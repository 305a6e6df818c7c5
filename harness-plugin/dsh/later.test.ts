import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLater } from './later.ts'

let made: number
let closed: number
let up: PromiseWithResolvers<void>
const later = () =>
  createLater(up.promise, async () => {
    made++
    return { close: async () => void closed++ }
  })

beforeEach(() => {
  vi.useFakeTimers()
  ;[made, closed, up] = [0, 0, Promise.withResolvers()]
})
afterEach(() => void vi.useRealTimers())

test('it is made a moment after the harness is up, and not before', async () => {
  later()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(made).toBe(0)
  up.resolve()
  await vi.advanceTimersByTimeAsync(10)
  expect(made).toBe(0)
  await vi.advanceTimersByTimeAsync(1000)
  expect(made).toBe(1)
})

test('it is made at once when it is asked for, and only once', async () => {
  const it = later()
  await Promise.all([it.get(), it.get()])
  up.resolve()
  await vi.advanceTimersByTimeAsync(1000)
  expect(made).toBe(1)
})

test('what is closed is not made any more, and what was made is closed', async () => {
  const [before, after] = [later(), later()]
  await before.get()
  up.resolve()
  await vi.advanceTimersByTimeAsync(10)
  await Promise.all([before.close(), after.close()])
  await vi.advanceTimersByTimeAsync(1000)
  expect({ made, closed }).toEqual({ made: 1, closed: 1 })
  await expect(after.get()).rejects.toThrow('closed')
})

test('a harness that does not come up makes nothing', async () => {
  later()
  up.reject(new Error('a row failed'))
  await vi.advanceTimersByTimeAsync(1000)
  expect(made).toBe(0)
})
