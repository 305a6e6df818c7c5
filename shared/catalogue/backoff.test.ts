import { describe, expect, test } from 'vitest'
import {
  backoffMs,
  completeAttempt,
  failAttempt,
  isBlocked,
  isUnderWay,
  mayResend,
  startAttempt,
  underWayMs,
} from './backoff.ts'
import { type CheckRecord, NO_CHECK } from './records.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NOW = Date.UTC(2026, 8, 1)

test('with an index the pause doubles from 15 minutes to 6 hours', () => {
  const pauses = [1, 2, 3, 4, 5, 6, 1e9].map((attempts) => backoffMs(attempts, true) / MINUTE)
  expect(pauses).toEqual([15, 30, 60, 120, 240, 360, 360])
})

test('without one the first pauses are short', () => {
  const pauses = [1, 2, 3, 4, 5, 6, 7, 8, 9, 1e9].map((attempts) => backoffMs(attempts, false) / MINUTE)
  expect(pauses).toEqual([1, 2, 5, 15, 30, 60, 120, 240, 360, 360])
})

describe('an attempt', () => {
  const hasIndex = true
  const attempt = startAttempt({ ...NO_CHECK, checkedAt: NOW - 7 * HOUR }, NOW, { hasIndex })

  test('blocks others for as long as a request may take', () => {
    expect(isBlocked(attempt, NOW)).toBe(true)
    expect(isBlocked(attempt, NOW + MINUTE - 1)).toBe(true)
    expect(isBlocked(attempt, NOW + MINUTE)).toBe(false)
  })

  test('that is left behind again and again blocks for longer each time, up to the pause after a failure', () => {
    let check: CheckRecord = NO_CHECK
    const pauses = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(() => {
      check = startAttempt(check, NOW, { hasIndex })
      return (check.nextTryAt - NOW) / MINUTE
    })
    expect(pauses).toEqual([1, 1, 2, 4, 8, 16, 32, 64, 128, 256])
  })

  test('may be taken up at once when it is the first, and its tab is gone', () => {
    expect(mayResend(attempt, NOW + 1)).toBe(true)
    expect(mayResend(startAttempt(attempt, NOW, { hasIndex }), NOW + 1)).toBe(false)
    expect(mayResend(startAttempt(failAttempt(attempt, 'down', { hasIndex }), NOW, { hasIndex }), NOW + 1)).toBe(false)
    expect(mayResend(failAttempt(attempt, 'down', { hasIndex }), NOW + 1)).toBe(false)
    expect(mayResend(NO_CHECK, NOW)).toBe(false)
  })

  test('after a failure blocks as another failure does, and so does each until a success', () => {
    const after = failAttempt(attempt, 'down', { hasIndex })
    expect(after).toMatchObject({ failedAt: NOW, nextTryAt: NOW + 15 * MINUTE })
    const second = startAttempt(after, NOW + HOUR, { hasIndex })
    expect(second.nextTryAt).toBe(NOW + HOUR + 30 * MINUTE)
    expect(startAttempt(second, NOW + 2 * HOUR, { hasIndex }).nextTryAt).toBe(NOW + 3 * HOUR)
    expect(startAttempt(completeAttempt(second, NOW + HOUR), NOW + 9 * HOUR, { hasIndex }).nextTryAt).toBe(
      NOW + 9 * HOUR + MINUTE,
    )
  })

  test('is under way for as long as a request may take', () => {
    expect(isUnderWay(attempt, NOW - 5)).toBe(true)
    expect(isUnderWay(attempt, NOW + MINUTE - 1)).toBe(true)
    expect(isUnderWay(attempt, NOW + MINUTE)).toBe(false)
    expect(isUnderWay(failAttempt(attempt, 'down', { hasIndex }), NOW)).toBe(false)
    expect(isUnderWay(NO_CHECK, NOW)).toBe(false)
    expect(underWayMs(attempt, NOW + 10)).toBe(MINUTE - 10)
  })

  test('counts on until a success', () => {
    const second = startAttempt(failAttempt(attempt, 'down', { hasIndex }), NOW + HOUR, { hasIndex })
    expect(second).toMatchObject({ attempts: 2, nextTryAt: NOW + HOUR + 30 * MINUTE, checkedAt: NOW - 7 * HOUR })
    const success = completeAttempt(second, NOW + HOUR + 5)
    expect(success).toMatchObject({ attempts: 0, checkedAt: NOW + HOUR + 5, failedAt: null, message: null })
    expect(isBlocked(success, NOW + HOUR + 5)).toBe(false)
  })

  test('dated further ahead than the longest pause blocks nobody: the clock was set back', () => {
    const late = { ...attempt, attempts: 9, nextTryAt: NOW + 6 * HOUR }
    expect(isBlocked(late, NOW)).toBe(true)
    expect(isBlocked(late, NOW - 2 * MINUTE)).toBe(false)
  })
})
