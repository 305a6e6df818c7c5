import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isOneEditApart } from './spelling.ts'

test.each([
  ['memory', 'memroy'],
  ['memory', 'memry'],
  ['memory', 'memmory'],
  ['memory', 'memury'],
  ['memory', 'emmory'],
  ['a', ''],
])('finds one edit between %s and %s', (a, b) => {
  expect([isOneEditApart(a, b), isOneEditApart(b, a)]).toEqual([true, true])
})

test.each([
  ['memory', 'memory'],
  ['memory', 'mmry'],
  ['memory', 'mermoy'],
  ['ab', 'cd'],
  ['abc', 'cba'],
])('finds more or less than one edit between %s and %s', (a, b) => {
  expect(isOneEditApart(a, b)).toBe(false)
})

test('counts a removed or replaced letter anywhere in a word as one edit', () => {
  const word = fc.stringMatching(/^[a-z]{4,12}$/)
  fc.assert(
    fc.property(word, fc.nat(11), (word, at) => {
      const [before, after] = [word.slice(0, at % word.length), word.slice((at % word.length) + 1)]
      expect(isOneEditApart(word, before + after)).toBe(true)
      expect(isOneEditApart(word, `${before}X${after}`)).toBe(true)
    }),
  )
})
