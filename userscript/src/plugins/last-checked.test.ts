import { beforeEach, expect, it } from 'vitest'
import { createStamp } from './last-checked.ts'

const GENERATED = '2026-08-20T00:00:00.000Z'
let kept: Map<string, string>
let time: number

beforeEach(() => {
  kept = new Map()
  time = 1_000_000
})

const open = () =>
  createStamp(
    'stamp',
    () => ({
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key),
    }),
    () => time,
  )

it('says how long ago a copy was known to be the newest, also to the next page', () => {
  open().write(GENERATED, 1000)
  time += 500
  expect(open().age(GENERATED)).toBe(1500)
})

it('knows nothing of another copy, of none, or before anything was written', () => {
  const stamp = open()
  expect(stamp.age(GENERATED)).toBe(Number.POSITIVE_INFINITY)
  stamp.write(null, 1)
  stamp.write(GENERATED, null)
  expect(kept.size).toBe(0)
  stamp.write(GENERATED, 0)
  for (const other of ['2026-08-21T00:00:00.000Z', null]) expect(stamp.age(other)).toBe(Number.POSITIVE_INFINITY)
})

it('does not trust a clock that was set back, or a text of something else', () => {
  const stamp = open()
  stamp.write(GENERATED, 0)
  time -= 1
  expect(stamp.age(GENERATED)).toBe(Number.POSITIVE_INFINITY)
  time += 1
  expect(stamp.age(GENERATED)).toBe(0)
  for (const text of ['', GENERATED, `${GENERATED} soon`, 'null']) {
    kept.set('plugmark checked stamp', text)
    expect(stamp.age(GENERATED)).toBe(Number.POSITIVE_INFINITY)
  }
})

it('goes when it is cleared, and does without a storage', () => {
  const stamp = open()
  stamp.write(GENERATED, 0)
  stamp.clear()
  expect(kept.size).toBe(0)
  const denied = createStamp('stamp', () => {
    throw new DOMException('denied', 'SecurityError')
  })
  denied.write(GENERATED, 0)
  denied.clear()
  expect(denied.age(GENERATED)).toBe(Number.POSITIVE_INFINITY)
})
