import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CALL_NAMES, CALLS, parseInput } from './protocol.ts'

const install = { id: 'owner/repo', token: 'A'.repeat(43), acknowledged: false }

test('reads an input that matches the schema', () => {
  expect(parseInput(CALLS.start.input, install)).toEqual(install)
  expect(parseInput(CALLS.overview.input, {})).toEqual({})
})

test('accepts the greatest number and length of ids that the schema allows', () => {
  const ids = Array.from({ length: 100 }, (_, n) => `owner/${`${n}`.padEnd(506, 'x')}`)
  expect(parseInput(CALLS.describe.input, { ids })).toEqual({ ids })
  expect(parseInput(CALLS.describe.input, { ids: [...ids, 'owner/more'] })).toBeNull()
})

test.each([
  ['nothing', undefined],
  ['null', null],
  ['a list', []],
  ['a key too many', { ...install, command: 'sh' }],
  ['a missing key', { id: 'owner/repo', token: install.token }],
  ['another type', { ...install, acknowledged: 'true' }],
  ['a token of another length', { ...install, token: 'A'.repeat(42) }],
  ['an id with an option in it', { ...install, id: 'owner/repo --force' }],
  ['a long text', { ...install, id: `owner/${'x'.repeat(5000)}` }],
  ['__proto__', JSON.parse('{"__proto__": {"id": "owner/repo"}}')],
  ['constructor', { ...install, constructor: { prototype: { ok: true } } }],
])('rejects %s as malformed', (_, frame) => {
  expect(parseInput(CALLS.start.input, frame)).toBeNull()
})

test('rejects a deeply nested frame before it reads it', () => {
  const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)
  expect(parseInput(CALLS.overview.input, { deep })).toBeNull()
  expect(
    parseInput(CALLS.overview.input, Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [n, n]))),
  ).toBeNull()
})

test('reads or rejects any JSON, and never changes a prototype', () => {
  const before = Object.getOwnPropertyNames(Object.prototype)
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(...CALL_NAMES), (json, call) => {
      parseInput(CALLS[call].input, JSON.parse(json))
    }),
  )
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before)
})
