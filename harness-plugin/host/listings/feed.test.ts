import { expect, test } from 'vitest'
import { createFeed } from './feed.ts'

test('what changed comes again at the end, once', () => {
  const feed = createFeed()
  for (const key of ['a', 'b', 'c']) feed.push(key)
  expect(feed.from(0, 2)).toEqual({ keys: ['a', 'b'], next: 2 })
  feed.push('a')
  feed.push('c')
  expect(feed.from(2, 9)).toEqual({ keys: ['a', 'c'], next: 5 })
  expect(feed.from(0, 9)).toEqual({ keys: ['b', 'a', 'c'], next: 5 })
  expect([feed.count, feed.end, feed.revision]).toEqual([3, 5, 0])
})

test('starting over is told by the revision', () => {
  const feed = createFeed()
  feed.push('a')
  feed.restart(['b', 'c'])
  expect(feed.revision).toBe(1)
  expect(feed.from(0, 9).keys).toEqual(['b', 'c'])
  expect(feed.from(99, 9)).toEqual({ keys: [], next: 2 })
})

test('holes do not pile up for ever', () => {
  const feed = createFeed()
  for (let n = 0; n < 5000; n++) feed.push(`key${n % 3}`)
  expect(feed.end).toBeLessThan(1100)
  expect(feed.revision).toBeGreaterThan(0)
  expect([...feed.from(0, 9).keys].toSorted()).toEqual(['key0', 'key1', 'key2'])
})
