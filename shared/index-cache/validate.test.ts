import { describe, expect, test } from 'vitest'
import type { DecodedIndex } from './decode.ts'
import { validateUpdate } from './decode.ts'
import { EMPTY_STATE, type IndexState } from './refresh-state.ts'

const DAY = 24 * 3_600_000
const NOW = Date.UTC(2026, 8, 1)
const listing = { fullName: 'a/b', category: null, install: null, path: null, npm: null }
const index: DecodedIndex = {
  generated: '2026-08-31T12:00:00.000Z',
  site: 'https://directory.example',
  announced: 2,
  received: 2,
  missingFields: [],
  listings: [listing, listing],
}
const EMPTY = EMPTY_STATE
const stored = (options: { generated?: string; site?: string; checkedAt?: number }): IndexState => {
  const { generated = index.generated, site = index.site, checkedAt = NOW } = options
  return { ...EMPTY_STATE, index: { generated, site, count: 2, rejected: 0, savedAt: checkedAt }, checkedAt }
}

test('replaces an older index, or none, with a valid document', () => {
  expect(validateUpdate(index, EMPTY, NOW)).toBe('replace')
  expect(validateUpdate(index, stored({ generated: '2026-08-31T11:59:59.999Z' }), NOW)).toBe('replace')
})

test('confirms the stored index when the document is the same or older', () => {
  expect(validateUpdate(index, stored({}), NOW)).toBe('confirm')
  expect(validateUpdate(index, stored({ generated: '2026-08-31T12:00:00.001Z' }), NOW)).toBe('confirm')
})

describe('an invalid document', () => {
  test.each([
    ['no rows', { announced: 0, received: 0, listings: [] }, 'empty'],
    ['fewer rows than announced', { announced: 3 }, 'incomplete: 2 of 3 rows'],
    ['most rows bad', { announced: 3, received: 3, listings: [listing] }, '2 of 3 rows'],
    ['a date far ahead', { generated: '2026-10-02T00:00:00.000Z' }, 'in the future'],
    ['a date that is none', { generated: '2026-13-01T00:00:00.000Z' }, 'in the future'],
  ])('an invalid document is refused, with and without a stored index: %s', (_, odd, reason) => {
    expect(() => validateUpdate({ ...index, ...odd }, EMPTY, NOW)).toThrow(reason)
    expect(() => validateUpdate({ ...index, ...odd }, stored({}), NOW)).toThrow(reason)
  })
})

test('accepts a document with half of the rows bad, more rows than announced, or dated ahead of a slow clock', () => {
  expect(validateUpdate({ ...index, announced: 4, received: 4 }, EMPTY, NOW)).toBe('replace')
  expect(validateUpdate({ ...index, announced: 1 }, EMPTY, NOW)).toBe('replace')
  expect(validateUpdate(index, EMPTY, NOW - 20 * DAY)).toBe('replace')
})

describe('a document of another site', () => {
  const site = 'https://elsewhere.example'

  test('does not replace the stored one while that is usable', () => {
    const state = stored({ site, generated: '2026-08-01T00:00:00.000Z' })
    expect(validateUpdate(index, state, NOW)).toBe('differs')
    expect(validateUpdate(index, state, NOW + 29 * DAY)).toBe('differs')
  })

  test('replaces an expired one, unless it is older', () => {
    const checkedAt = NOW - 31 * DAY
    const older = stored({ site, checkedAt, generated: '2026-07-01T00:00:00.000Z' })
    expect(validateUpdate(index, older, NOW)).toBe('replace')
    const newer = stored({ site, checkedAt, generated: '2026-08-31T12:00:00.001Z' })
    expect(validateUpdate(index, newer, NOW)).toBe('differs')
  })
})

test('stores a document that lacks columns only when there is no stored index', () => {
  const lacking = { ...index, missingFields: ['install', 'npm'] }
  expect(validateUpdate(lacking, EMPTY, NOW)).toBe('replace')
  const older = stored({ generated: '2026-08-01T00:00:00.000Z' })
  expect(() => validateUpdate(lacking, older, NOW)).toThrow('lacks the columns install, npm')
})

test('replaces a stored document that is dated ahead of the clock by an earlier one', () => {
  expect(validateUpdate(index, stored({ generated: '2026-09-20T00:00:00.000Z' }), NOW)).toBe('replace')
})
