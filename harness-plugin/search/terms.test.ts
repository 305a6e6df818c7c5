import { expect, test } from 'vitest'
import { termsOf } from './terms.ts'

test.each([
  ['memory, search.', ['memory', 'search']],
  ['notes,disk;kite', ['notes', 'disk', 'kite']],
  ['笔记、磁盘。', ['笔记', '磁盘']],
  ['(kite) beacon? & …', ['kite', 'beacon']],
  ['c++ @scope/x node.js', ['c++', '@scope/x', 'node.js']],
])('leaves out the punctuation of a sentence: %s', (text, terms) => {
  expect(termsOf(text.split(' '))).toEqual(terms)
})

test.each([
  ['I want the agent to remember things', ['agent', 'remember']],
  ['Is there something to search the web?', ['search', 'web']],
  ["don't use the web", ['web']],
  ['想要一个记忆插件', ['记忆']],
  ['to do', ['to', 'do']],
])('leaves out stop words when other words are left: %s', (text, terms) => {
  expect(termsOf(text.split(' '))).toEqual(terms)
})
