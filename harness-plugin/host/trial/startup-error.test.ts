import { expect, test } from 'vitest'
import { lastWords } from './startup-error.ts'

// As dsh 0.1.0-rc.8 writes them.
const QUOTE = ['file:///lib/index.js:1187', '    throw new Error(detail, { cause });', '          ^', '']

test.each([
  [
    'a plugin that throws',
    [
      'dsh web: http://127.0.0.1:1',
      ...QUOTE,
      'Error: dsh: plugin tree failed to load: boom',
      'Error: boom',
      '    at x',
    ],
    ['Error: dsh: plugin tree failed to load: boom'],
  ],
  [
    'a plugin that waits',
    [...QUOTE, 'Error: dsh: 1 entry did not activate', 'some-plugin: pending (waiting for service: x)', '    at boot'],
    ['Error: dsh: 1 entry did not activate', 'some-plugin: pending (waiting for service: x)'],
  ],
  [
    'one that fails later',
    ['dsh web: http://127.0.0.1:1', 'dsh: fatal load failure: Error: boom', '    at x', '    at y'],
    ['dsh: fatal load failure: Error: boom'],
  ],
  ['one that ends without a word', ['dsh web: http://127.0.0.1:1'], []],
])('%s', (_, lines, words) => {
  expect(lastWords(lines, [])).toEqual(words)
})

test('without an error, the row that it waits for is named, the innermost', () => {
  expect(lastWords(['dsh web: http://127.0.0.1:1'], ['include: loading', 'a', 'some-plugin: loading'])).toEqual([
    'a',
    'some-plugin: loading',
  ])
})

test('a long line is cut', () => {
  expect(lastWords([`Error: ${'x'.repeat(5000)}`], [])[0]).toHaveLength(300)
})
