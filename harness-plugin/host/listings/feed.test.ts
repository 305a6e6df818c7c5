import { expect, test } from 'vitest'
import { createFeed } from './feed.ts'

test('what changed comes again at the end, once', () => {
  const feed = createFeed()
  for (const listing of [1, 2, 3]) feed.push(listing)
  expect(feed.from(0, 2)).toEqual({ listings: [1, 2], next: 2 })
  feed.push(1)
  feed.push(3)
  expect(feed.from(2, 9)).toEqual({ listings: [1, 3], next: 5 })
  expect(feed.from(0, 9)).toEqual({ listings: [2, 1, 3], next: 5 })
  expect([feed.count, feed.end, feed.revision]).toEqual([3, 5, 0])
})

test('starting over is told by the revision', () => {
  const feed = createFeed()
  feed.push(1)
  feed.restart([2, 3])
  expect(feed.revision).toBe(1)
  expect(feed.from(0, 9).listings).toEqual([2, 3])
  expect(feed.from(99, 9)).toEqual({ listings: [], next: 2 })
})

test('holes do not pile up for ever', () => {
  const feed = createFeed()
  for (let n = 0; n < 5000; n++) feed.push(n % 3)
  expect(feed.end).toBeLessThan(1100)
  expect(feed.revision).toBeGreaterThan(0)
  expect(feed.from(0, 9).listings.toSorted()).toEqual([0, 1, 2])
})
