import { expect, test } from 'vitest'
import { termsOf } from './fold.ts'

test.each([
  ['memory, search.', ['memory', 'search']],
  ['notes,disk;kite', ['notes', 'disk', 'kite']],
  ['笔记、磁盘。', ['笔记', '磁盘']],
  ['(kite) beacon? & …', ['kite', 'beacon']],
  ['c++ @scope/x node.js', ['c++', '@scope/x', 'node.js']],
])('punctuation of a sentence is no part of a term: %s', (text, terms) => {
  expect(termsOf(text.split(' '))).toEqual(terms)
})
