import { expect, test } from 'vitest'
import { claimed } from './backoff.ts'
import { type CopyRecord, NO_CHECK, SCHEMA } from './records.ts'
import { copyState, isDue, type Known } from './state.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOW = Date.UTC(2026, 8, 1)
const copy: CopyRecord = {
  schema: SCHEMA,
  generated: '2026-08-31T00:00:00.000Z',
  site: 'https://directory.example',
  count: 1,
  rejected: 0,
  savedAt: NOW - 90 * DAY,
}
const checkedAt = (time: number): Known => ({ copy, check: { ...NO_CHECK, checkedAt: time } })

test.each([
  ['fresh', 0],
  ['fresh', 6 * HOUR - 1],
  ['stale', 6 * HOUR],
  ['stale', 30 * DAY],
  ['expired', 30 * DAY + 1],
  ['fresh', -5],
  ['stale', -2 * 60_000],
])('%s %i ms after the last check', (state, age) => {
  expect(copyState(checkedAt(NOW - age), NOW)).toBe(state)
})

test('empty without a copy, whatever the checks say', () => {
  expect(copyState({ copy: null, check: { ...NO_CHECK, checkedAt: NOW } }, NOW)).toBe('empty')
})

test('without a record of checks the copy is as old as its writing', () => {
  expect(copyState({ copy: { ...copy, savedAt: NOW - HOUR }, check: NO_CHECK }, NOW)).toBe('fresh')
})

test('due unless fresh or in the pause after a failure', () => {
  expect(isDue({ copy: null, check: NO_CHECK }, NOW)).toBe(true)
  expect(isDue(checkedAt(NOW), NOW)).toBe(false)
  expect(isDue(checkedAt(NOW - 7 * HOUR), NOW)).toBe(true)
  expect(isDue({ copy, check: claimed(NO_CHECK, NOW, { hasCopy: true }) }, NOW + 1)).toBe(false)
})
