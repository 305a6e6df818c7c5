import { expect, test } from 'vitest'
import type { Ability, CodeReading, UnreadFile } from './inspection.ts'
import { gainsOf, isSetAside } from './review-facts.ts'

const listens: Ability = { kind: 'listens', names: [], harmless: 0, more: false, places: [] }
const read = (abilities: readonly Ability[], ...reasons: readonly UnreadFile['reason'][]): CodeReading => ({
  state: 'read',
  others: [],
  scripts: [],
  files: null,
  abilities: [...abilities],
  unread: reasons.map((reason) => ({ file: 'index.js', reason })),
})

test.each([
  { update: 'that gains something', code: read([listens]), isAside: true },
  { update: 'with a new file that nobody can read', code: read([], 'minified'), isAside: true },
  { update: 'that was not read', code: { state: 'unknown', reason: 'unreachable' } as const, isAside: true },
  { update: 'that gains nothing', code: read([]), isAside: false },
])('an update $update is left to a person: $isAside', ({ code, isAside }) => {
  expect(isSetAside(gainsOf({ before: '1.0.0', code }), null)).toBe(isAside)
})

test.each([
  { past: 'continues what is installed', parts: {}, isAside: false },
  { past: 'has another history', parts: { breaks: [{ kind: 'history' as const }] }, isAside: true },
  { past: 'has a history that could not be read', parts: { unknown: ['history' as const] }, isAside: true },
  { past: 'is of a registry that names no publishers', parts: { unknown: ['publisher' as const] }, isAside: false },
])('an update that $past is left to a person: $isAside', ({ parts, isAside }) => {
  const past = { before: '1.0.0', after: '1.1.0', breaks: [], unknown: [], ...parts }
  expect(isSetAside({ state: 'nothing' }, past)).toBe(isAside)
})

test('an update whose installed version was not read is left to a person', () => {
  expect(isSetAside(gainsOf({ before: null, code: read([]) }), null)).toBe(true)
})
