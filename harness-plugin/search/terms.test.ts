import { expect, test } from 'vitest'
import { stemOf, termsOf } from './terms.ts'

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

test.each([
  ['test tests tested testing'],
  ['note notes noted noting'],
  ['take takes taking'],
  ['run runs running'],
  ['box boxes boxing'],
  ['memory memories'],
  ['plan plans planning planned'],
  ['translate translates translated translating translation translator'],
  ['remind reminds reminding reminder reminders'],
])('finds one stem of the forms of a word: %s', (forms) => {
  expect(new Set(forms.split(' ').map(stemOf)).size).toBe(1)
})

test.each([
  'not note',
  'use user',
  'us use',
  'letter let',
  'session process',
  'bus status',
  'need speed',
  '记忆 记',
  'gpt4s gpt4',
])('keeps different words apart: %s', (words) => {
  expect(new Set(words.split(' ').map(stemOf)).size).toBe(2)
})
