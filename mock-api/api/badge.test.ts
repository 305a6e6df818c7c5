import { expect, test } from 'vitest'
import { embeddedCatalogue } from '../invented/invented.ts'
import { createApi } from './api.ts'
import { badgePath, badgeSvg } from './badge.ts'

const [listing] = embeddedCatalogue().listings
const now = Date.parse('2026-11-28T00:00:00.000Z')
const checked = (verdict: 'passed' | 'failed' | null, installCheckedAt: string | null) =>
  badgeSvg({ ...listing!, verdict, record: { ...listing!.record, installCheckedAt } }, now)

test.each([
  ['passed', '2026-11-26T10:00:00.000Z', 'install check: passed · 26 Nov 2026', '#1a7f37'],
  ['passed', '2026-01-01T10:00:00.000Z', 'install check: passed · 1 Jan 2026', '#9a6700'],
  ['passed', null, 'install check: passed', '#59636e'],
  ['failed', '2026-11-26T10:00:00.000Z', 'install check: failed · 26 Nov 2026', '#cf222e'],
  [null, '2026-11-26T10:00:00.000Z', 'install check: not checked', '#59636e'],
] as const)('a badge of the verdict %s, checked at %s, says %s', (verdict, checkedAt, label, colour) => {
  const svg = checked(verdict, checkedAt)
  expect(svg).toContain(`<title>${label}</title>`)
  expect(svg).toContain(`fill="${colour}"`)
})

test('serves the badge of a listing with a page as a picture that runs nothing', async () => {
  const respond = createApi({ catalogue: embeddedCatalogue() })
  const response = respond(new Request(`https://directory.test${badgePath(listing!)}`))
  expect(response?.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8')
  expect(response?.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
  expect(await response?.text()).toBe(badgeSvg(listing!))
  expect(respond(new Request('https://directory.test/badges/none.svg'))).toBeNull()
  expect(badgePath({ path: null })).toBeNull()
})
