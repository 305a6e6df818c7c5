import { describe, expect, test } from 'vitest'
import {
  backoffMs,
  EMPTY_STATE,
  freshnessOf,
  type IndexState,
  isAnswered,
  isDue,
  pauseMs,
  triedLately,
} from './refresh-state.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const NOW = Date.UTC(2026, 8, 1)
const index = {
  generated: '2026-08-31T00:00:00.000Z',
  site: 'https://directory.example',
  count: 1,
  rejected: 0,
  savedAt: NOW - 90 * DAY,
}
const checkedAt = (time: number): IndexState => ({ ...EMPTY_STATE, index, checkedAt: time })
const failedAt = (sentAt: number, pause: number, hasIndex = true): IndexState => ({
  ...EMPTY_STATE,
  index: hasIndex ? index : null,
  lastSentAt: sentAt,
  failure: { sentAt, kind: 'network', status: null, message: 'down', attempts: 1, nextTryAt: sentAt + pause },
})

test.each([
  ['fresh', 0],
  ['fresh', 6 * HOUR - 1],
  ['stale', 6 * HOUR],
  ['stale', 30 * DAY],
  ['expired', 30 * DAY + 1],
  ['fresh', -5],
  ['stale', -2 * MINUTE],
])('calls an index %s %i ms after it was checked', (state, age) => {
  expect(freshnessOf(checkedAt(NOW - age), NOW)).toBe(state)
})

test('calls a state without an index empty, whatever was checked', () => {
  expect(freshnessOf({ ...EMPTY_STATE, checkedAt: NOW }, NOW)).toBe('empty')
})

test('counts the age from the writing when an index was never checked', () => {
  expect(freshnessOf({ ...EMPTY_STATE, index: { ...index, savedAt: NOW - HOUR } }, NOW)).toBe('fresh')
})

test('makes a refresh due unless the index is fresh or a pause runs', () => {
  expect(isDue(EMPTY_STATE, NOW)).toBe(true)
  expect(isDue(checkedAt(NOW), NOW)).toBe(false)
  expect(isDue(checkedAt(NOW - 7 * HOUR), NOW)).toBe(true)
  expect(isDue(failedAt(NOW, 15 * MINUTE), NOW + 15 * MINUTE - 1)).toBe(false)
  expect(isDue(failedAt(NOW, 15 * MINUTE), NOW + 15 * MINUTE)).toBe(true)
})

test('doubles the back-off from 15 minutes to 6 hours when there is an index', () => {
  const pauses = [1, 2, 3, 4, 5, 6, 1e9].map((attempts) => backoffMs(attempts, true) / MINUTE)
  expect(pauses).toEqual([15, 30, 60, 120, 240, 360, 360])
})

test('begins the back-off with 1, 2 and 5 minutes when there is no index', () => {
  const pauses = [1, 2, 3, 4, 5, 6, 7, 8, 9, 1e9].map((attempts) => backoffMs(attempts, false) / MINUTE)
  expect(pauses).toEqual([1, 2, 5, 15, 30, 60, 120, 240, 360, 360])
})

describe('a request without an outcome', () => {
  const sent = { ...checkedAt(NOW - 7 * HOUR), lastSentAt: NOW }

  test('a request without an outcome is not answered until it succeeds or fails', () => {
    expect(isAnswered(EMPTY_STATE)).toBe(true)
    expect(isAnswered(sent)).toBe(false)
    expect(isAnswered({ ...sent, checkedAt: NOW })).toBe(true)
    expect(isAnswered(failedAt(NOW, MINUTE))).toBe(true)
    expect(isAnswered({ ...failedAt(NOW - MINUTE, MINUTE), lastSentAt: NOW })).toBe(false)
  })

  test('counts as tried lately for a minute, also when it failed, but not when it succeeded', () => {
    expect(triedLately(EMPTY_STATE, NOW)).toBe(false)
    for (const state of [sent, failedAt(NOW, MINUTE)]) {
      const times = [NOW - 1, NOW, NOW + MINUTE - 1, NOW + MINUTE]
      expect(times.map((now) => triedLately(state, now))).toEqual([false, true, true, false])
    }
    expect(triedLately({ ...sent, checkedAt: NOW }, NOW)).toBe(false)
  })

  test('makes others pause for a minute when there is an index, else for five seconds', () => {
    expect(pauseMs(sent, NOW + 1_000)).toBe(MINUTE - 1_000)
    expect(pauseMs(sent, NOW + MINUTE)).toBe(0)
    expect(pauseMs({ ...sent, index: null }, NOW + 1_000)).toBe(4_000)
  })
})

test('ends a pause that is longer than the longest, because the clock was set back', () => {
  const late = failedAt(NOW, 6 * HOUR)
  expect(pauseMs(late, NOW)).toBe(6 * HOUR)
  expect(pauseMs(late, NOW - 2 * MINUTE)).toBe(0)
  expect(pauseMs({ ...EMPTY_STATE, lastSentAt: NOW + 2 * MINUTE }, NOW)).toBe(0)
})
