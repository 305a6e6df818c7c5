import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isOneSlip } from './slips.ts'

test.each([
  ['memory', 'memroy'],
  ['memory', 'memry'],
  ['memory', 'memmory'],
  ['memory', 'memury'],
  ['memory', 'emmory'],
  ['a', ''],
])('%s and %s are one slip apart', (a, b) => {
  expect([isOneSlip(a, b), isOneSlip(b, a)]).toEqual([true, true])
})

test.each([
  ['memory', 'memory'],
  ['memory', 'mmry'],
  ['memory', 'mermoy'],
  ['ab', 'cd'],
  ['abc', 'cba'],
])('%s and %s are not', (a, b) => {
  expect(isOneSlip(a, b)).toBe(false)
})

test('one letter changed anywhere in any word is one slip', () => {
  const word = fc.stringMatching(/^[a-z]{4,12}$/)
  fc.assert(
    fc.property(word, fc.nat(11), (word, at) => {
      const [before, after] = [word.slice(0, at % word.length), word.slice((at % word.length) + 1)]
      expect(isOneSlip(word, before + after)).toBe(true)
      expect(isOneSlip(word, `${before}X${after}`)).toBe(true)
    }),
  )
})
