import { expect, test, vi } from 'vitest'
import { webLock } from './locks.ts'

test('falls back to a lock within this tab when Web Locks are absent or denied', async () => {
  const denied = {
    request: () => Promise.reject(new DOMException('denied', 'SecurityError')),
  } as unknown as LockManager
  for (const lock of [webLock('x', undefined), webLock('x', denied)]) {
    let running = 0
    const task = async () => {
      expect(++running).toBe(1)
      await Promise.resolve()
      return --running
    }
    expect(await Promise.all([lock.run(1_000, task), lock.run(1_000, task)])).toEqual([
      { held: true, value: 0 },
      { held: true, value: 0 },
    ])
  }
})

test('throws what the task throws, and runs the task once', async () => {
  const task = vi.fn(() => Promise.reject(new DOMException('task', 'AbortError')))
  await expect(webLock('plugmark-test').run(1_000, task)).rejects.toThrow('task')
  expect(task).toHaveBeenCalledTimes(1)
})

test('excludes a second lock of the same name, and stops waiting after the limit', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const held = webLock('plugmark-test').run(1_000, () => promise)
  expect(await webLock('plugmark-test').run(1, async () => 1)).toEqual({ held: false })
  expect(await webLock('plugmark-other').run(1_000, async () => 2)).toEqual({ held: true, value: 2 })
  resolve()
  await held
  expect(await webLock('plugmark-test').run(1_000, async () => 3)).toEqual({ held: true, value: 3 })
})
