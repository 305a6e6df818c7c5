import { describe, expect, test } from 'vitest'
import { backoffMs, claimed, failed, isBlocked, isUnderWay, succeeded } from './backoff.ts'
import { NO_CHECK } from './records.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NOW = Date.UTC(2026, 8, 1)

test('the pause doubles from 15 minutes to 6 hours', () => {
  const pauses = [1, 2, 3, 4, 5, 6, 1e9].map((attempts) => backoffMs(attempts) / MINUTE)
  expect(pauses).toEqual([15, 30, 60, 120, 240, 360, 360])
})

describe('a claim', () => {
  const claim = claimed({ ...NO_CHECK, checkedAt: NOW - 7 * HOUR }, NOW)

  test('blocks others for the first pause', () => {
    expect(isBlocked(claim, NOW)).toBe(true)
    expect(isBlocked(claim, NOW + 15 * MINUTE - 1)).toBe(true)
    expect(isBlocked(claim, NOW + 15 * MINUTE)).toBe(false)
  })

  test('is under way for as long as a request may take', () => {
    expect(isUnderWay(claim, NOW - 5)).toBe(true)
    expect(isUnderWay(claim, NOW + MINUTE - 1)).toBe(true)
    expect(isUnderWay(claim, NOW + MINUTE)).toBe(false)
    expect(isUnderWay(failed(claim, 'down'), NOW)).toBe(false)
    expect(isUnderWay(NO_CHECK, NOW)).toBe(false)
  })

  test('counts on until a success', () => {
    const second = claimed(failed(claim, 'down'), NOW + HOUR)
    expect(second).toMatchObject({ attempts: 2, nextTryAt: NOW + HOUR + 30 * MINUTE, checkedAt: NOW - 7 * HOUR })
    const success = succeeded(second, NOW + HOUR + 5)
    expect(success).toMatchObject({ attempts: 0, checkedAt: NOW + HOUR + 5, message: null })
    expect(isBlocked(success, NOW + HOUR + 5)).toBe(false)
  })

  test('dated further ahead than the longest pause blocks nobody: the clock was set back', () => {
    const late = { ...claim, attempts: 9, nextTryAt: NOW + 6 * HOUR }
    expect(isBlocked(late, NOW)).toBe(true)
    expect(isBlocked(late, NOW - 2 * MINUTE)).toBe(false)
  })
})
