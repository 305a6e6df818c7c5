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

const [LEFT, MADE] = ['left to the user', 'made with all others']

test.each([
  { update: 'that gains something', code: read([listens]), end: LEFT },
  { update: 'with a new file that nobody can read', code: read([], 'minified'), end: LEFT },
  { update: 'that was not read', code: { state: 'unknown', reason: 'unreachable' } as const, end: LEFT },
  { update: 'that gains nothing', code: read([]), end: MADE },
])('an update $update is $end', ({ code, end }) => {
  expect(isSetAside(gainsOf({ before: '1.0.0', code }), null)).toBe(end === LEFT)
})

test.each([
  { past: 'continues what is installed', parts: {}, end: MADE },
  { past: 'has another history', parts: { breaks: [{ kind: 'history' as const }] }, end: LEFT },
  { past: 'has a history that could not be read', parts: { unknown: ['history' as const] }, end: LEFT },
  { past: 'is of a registry that names no publishers', parts: { unknown: ['publisher' as const] }, end: MADE },
])('an update that $past is $end', ({ parts, end }) => {
  const past = { before: '1.0.0', after: '1.1.0', breaks: [], unknown: [], ...parts }
  expect(isSetAside({ state: 'nothing' }, past)).toBe(end === LEFT)
})

test('an update whose installed version was not read is left to the user', () => {
  expect(isSetAside(gainsOf({ before: null, code: read([]) }), null)).toBe(true)
})
