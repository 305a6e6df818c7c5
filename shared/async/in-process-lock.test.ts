import { expect, test } from 'vitest'
import { inProcessLock } from './locks.ts'

/** Returns a task that runs until `end` is called. */
function task() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { run: () => promise, end: resolve }
}

test('runs one task after another, in the order of the calls', async () => {
  const lock = inProcessLock()
  const order: number[] = []
  const first = task()
  const held = lock.run(1_000, first.run)
  const others = [1, 2].map((n) => lock.run(1_000, async () => order.push(n)))
  expect(order).toEqual([])
  first.end()
  await Promise.all([held, ...others])
  expect(order).toEqual([1, 2])
})

test('does not run a task that waited too long, and runs the next one', async () => {
  const lock = inProcessLock()
  const first = task()
  const held = lock.run(1_000, first.run)
  expect(await lock.run(1, async () => 'too late')).toEqual({ held: false })
  const third = lock.run(1_000, async () => 'third')
  first.end()
  expect(await third).toEqual({ held: true, value: 'third' })
  await held
})

test('releases the lock when a task fails', async () => {
  const lock = inProcessLock()
  await expect(lock.run(1_000, () => Promise.reject(new Error('task')))).rejects.toThrow('task')
  expect(await lock.run(0, async () => 1)).toEqual({ held: true, value: 1 })
})
