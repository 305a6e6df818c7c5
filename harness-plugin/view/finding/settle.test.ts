import { expect, test } from 'vitest'
import { settle } from './settle.ts'

test('where nobody is, the list is what it should be', () => {
  expect(settle(['a', 'b'], ['b', 'c'], false)).toEqual({ ids: ['b', 'c'], waiting: 0 })
})

test('where somebody is, it grows at its end', () => {
  expect(settle(['a', 'b'], ['a', 'b', 'c'], true)).toEqual({ ids: ['a', 'b', 'c'], waiting: 0 })
  expect(settle([], ['a'], true)).toEqual({ ids: ['a'], waiting: 0 })
})

test('and else stays, while the rest waits', () => {
  expect(settle(['a', 'b'], ['c', 'a', 'b', 'd'], true)).toEqual({ ids: ['a', 'b'], waiting: 2 })
  expect(settle(['a', 'b'], ['b', 'a'], true)).toEqual({ ids: ['a', 'b'], waiting: 0 })
  expect(settle(['a', 'b'], ['b'], true)).toEqual({ ids: ['a', 'b'], waiting: 0 })
})
