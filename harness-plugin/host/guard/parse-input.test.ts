import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CALL_NAMES, CALLS } from '../../protocol/protocol.ts'
import { parseInput } from './parse-input.ts'

const install = { id: 'owner/repo', token: 'A'.repeat(43), acknowledged: false }

test('a call of its shape is read', () => {
  expect(parseInput(CALLS.start.input, install)).toEqual(install)
  expect(parseInput(CALLS.overview.input, {})).toEqual({})
})

test('takes as many ids, each as long, as the schema of a call allows', () => {
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
])('%s is malformed', (_, frame) => {
  expect(parseInput(CALLS.start.input, frame)).toBeNull()
})

test('a frame nested without end is refused before it is read', () => {
  const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)
  expect(parseInput(CALLS.overview.input, { deep })).toBeNull()
  expect(
    parseInput(CALLS.overview.input, Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [n, n]))),
  ).toBeNull()
})

test('any JSON is read or refused, and changes no prototype', () => {
  const before = Object.getOwnPropertyNames(Object.prototype)
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(...CALL_NAMES), (json, call) => {
      parseInput(CALLS[call].input, JSON.parse(json))
    }),
  )
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before)
})
