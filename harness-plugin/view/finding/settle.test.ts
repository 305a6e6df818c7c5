import { expect, test } from 'vitest'
import { settle } from './settle.ts'

test('a list grows at its end', () => {
  expect(settle(['a', 'b'], ['a', 'b', 'c'])).toBeNull()
  expect(settle([], ['a'])).toBeNull()
})

test('and else stays, while the rest waits', () => {
  expect(settle(['a', 'b'], ['c', 'a', 'b', 'd'])).toEqual({ ids: ['a', 'b'], waiting: 2 })
  expect(settle(['a', 'b'], ['b', 'a'])).toEqual({ ids: ['a', 'b'], waiting: 0 })
  expect(settle(['a', 'b'], ['b'])).toEqual({ ids: ['a', 'b'], waiting: 0 })
})
