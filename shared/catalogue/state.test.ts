import { expect, test } from 'vitest'
import { startAttempt } from './backoff.ts'
import { type IndexRecord, NO_CHECK, SCHEMA } from './records.ts'
import { type CacheState, freshnessOf, isDue } from './state.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOW = Date.UTC(2026, 8, 1)
const index: IndexRecord = {
  schema: SCHEMA,
  generated: '2026-08-31T00:00:00.000Z',
  site: 'https://directory.example',
  count: 1,
  rejected: 0,
  savedAt: NOW - 90 * DAY,
}
const checkedAt = (time: number): CacheState => ({ index, check: { ...NO_CHECK, checkedAt: time } })

test.each([
  ['fresh', 0],
  ['fresh', 6 * HOUR - 1],
  ['stale', 6 * HOUR],
  ['stale', 30 * DAY],
  ['expired', 30 * DAY + 1],
  ['fresh', -5],
  ['stale', -2 * 60_000],
])('%s %i ms after the last check', (state, age) => {
  expect(freshnessOf(checkedAt(NOW - age), NOW)).toBe(state)
})

test('empty without an index, whatever the checks say', () => {
  expect(freshnessOf({ index: null, check: { ...NO_CHECK, checkedAt: NOW } }, NOW)).toBe('empty')
})

test('without a record of checks the index is as old as its writing', () => {
  expect(freshnessOf({ index: { ...index, savedAt: NOW - HOUR }, check: NO_CHECK }, NOW)).toBe('fresh')
})

test('due unless fresh or in the pause after a failure', () => {
  expect(isDue({ index: null, check: NO_CHECK }, NOW)).toBe(true)
  expect(isDue(checkedAt(NOW), NOW)).toBe(false)
  expect(isDue(checkedAt(NOW - 7 * HOUR), NOW)).toBe(true)
  expect(isDue({ index, check: startAttempt(NO_CHECK, NOW, { hasIndex: true }) }, NOW + 1)).toBe(false)
})
