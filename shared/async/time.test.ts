import { expect, test } from 'vitest'
import { atMost, type Timer } from './time.ts'

/** Creates a timer whose time is up when the test says so. */
function manualTimer() {
  const waiting = new Set<() => void>()
  const timer: Timer = (_ms, fire) => {
    waiting.add(fire)
    return () => waiting.delete(fire)
  }
  return { timer, waiting }
}

test('keeps no timer once the work has ended', async () => {
  const { timer, waiting } = manualTimer()
  await atMost(timer, 90_000, Promise.resolve())
  expect(waiting.size).toBe(0)
  await expect(atMost(timer, 90_000, Promise.reject(new Error('work')))).rejects.toThrow('work')
  expect(waiting.size).toBe(0)
})

test('waits no longer than its limit', async () => {
  const { timer, waiting } = manualTimer()
  const wait = atMost(timer, 90_000, new Promise<void>(() => {}))
  for (const fire of waiting) fire()
  await expect(wait).resolves.toBeUndefined()
})

test('waits in Safari 16.4 too, which has no Promise.withResolvers', async () => {
  const { withResolvers } = Promise
  Reflect.deleteProperty(Promise, 'withResolvers')
  try {
    await expect(atMost(manualTimer().timer, 90_000, Promise.resolve())).resolves.toBeUndefined()
  } finally {
    Object.assign(Promise, { withResolvers })
  }
})
