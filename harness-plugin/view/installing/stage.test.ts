import { expect, test } from 'vitest'
import { clockText } from './stage.ts'

test.each([
  [0, '0:00'],
  [9_999, '0:09'],
  [65_000, '1:05'],
  [3_600_000, '60:00'],
  [-500, '0:00'],
])('shows %i ms as %s', (ms, text) => {
  expect(clockText(ms)).toBe(text)
})
