import { describe, expect, test } from 'vitest'
import type { DecodedIndex } from './decode.ts'
import { NO_CHECK, SCHEMA } from './records.ts'
import { rule } from './ruling.ts'
import type { Known } from './state.ts'

const DAY = 24 * 3_600_000
const NOW = Date.UTC(2026, 8, 1)
const listing = { fullName: 'a/b', category: null, install: null, path: null, npm: null }
const index: DecodedIndex = {
  generated: '2026-08-31T12:00:00.000Z',
  site: 'https://directory.example',
  announced: 2,
  received: 2,
  listings: [listing, listing],
}
const EMPTY: Known = { copy: null, check: NO_CHECK }
const copyOf = (given: { generated?: string; site?: string; checkedAt?: number }): Known => {
  const { generated = index.generated, site = index.site, checkedAt = NOW } = given
  return {
    copy: { schema: SCHEMA, generated, site, count: 2, rejected: 0, savedAt: checkedAt },
    check: { ...NO_CHECK, checkedAt },
  }
}

test('any good document is better than none, a newer one than an older', () => {
  expect(rule(index, EMPTY, NOW)).toBe('replace')
  expect(rule(index, copyOf({ generated: '2026-08-31T11:59:59.999Z' }), NOW)).toBe('replace')
})

test('the same or an older document confirms the copy', () => {
  expect(rule(index, copyOf({}), NOW)).toBe('confirm')
  expect(rule(index, copyOf({ generated: '2026-08-31T12:00:00.001Z' }), NOW)).toBe('confirm')
})

describe('refused, also where there is no copy:', () => {
  test.each([
    ['no rows', { announced: 0, received: 0, listings: [] }, 'empty'],
    ['fewer rows than announced', { announced: 3 }, 'incomplete: 2 of 3 rows'],
    ['most rows bad', { announced: 3, received: 3, listings: [listing] }, '2 of 3 rows'],
    ['a date far ahead', { generated: '2026-10-02T00:00:00.000Z' }, 'in the future'],
    ['a date that is none', { generated: '2026-13-01T00:00:00.000Z' }, 'in the future'],
  ])('%s', (_, odd, reason) => {
    expect(() => rule({ ...index, ...odd }, EMPTY, NOW)).toThrow(reason)
    expect(() => rule({ ...index, ...odd }, copyOf({}), NOW)).toThrow(reason)
  })
})

test('half of the rows bad, more rows than announced, a clock that is behind: all pass', () => {
  expect(rule({ ...index, announced: 4, received: 4 }, EMPTY, NOW)).toBe('replace')
  expect(rule({ ...index, announced: 1 }, EMPTY, NOW)).toBe('replace')
  expect(rule(index, EMPTY, NOW - 20 * DAY)).toBe('replace')
})

describe('a document of another site', () => {
  const site = 'https://elsewhere.example'

  test('is refused while the copy is usable', () => {
    const copy = copyOf({ site, generated: '2026-08-01T00:00:00.000Z' })
    expect(() => rule(index, copy, NOW)).toThrow(`from ${index.site}, but the stored one is from ${site}`)
    expect(() => rule(index, copy, NOW + 29 * DAY)).toThrow('from https://elsewhere.example')
  })

  test('replaces an expired copy, unless it is older', () => {
    const checkedAt = NOW - 31 * DAY
    expect(rule(index, copyOf({ site, checkedAt, generated: '2026-07-01T00:00:00.000Z' }), NOW)).toBe('replace')
    expect(() => rule(index, copyOf({ site, checkedAt, generated: '2026-08-31T12:00:00.001Z' }), NOW)).toThrow(site)
  })
})
