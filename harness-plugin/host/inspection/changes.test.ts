import { expect, test } from 'vitest'
import { changedFiles } from './changes.ts'

const filesOf = (files: Readonly<Record<string, string>>) =>
  new Map(Object.entries(files).map(([path, body]) => [path, Buffer.from(body)]))
const compare = (before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>) =>
  changedFiles(filesOf(before), filesOf(after))

const MANIFEST = JSON.stringify({ main: 'lib/index.js', dsh: { bundle: { patch: './cordis.patch.yml' } } })

test('lists what differs in order of risk, and leaves out what is the same', () => {
  const before = {
    'README.md': 'old',
    'package.json': MANIFEST,
    'cordis.patch.yml': '- id: a',
    'lib/index.js': `import './part.js'`,
    'lib/part.js': 'let a',
    'lib/unused.js': 'let a',
    LICENSE: 'same',
  }
  const after = {
    'README.md': 'new',
    'package.json': `${MANIFEST}\n`,
    'cordis.patch.yml': '- id: b',
    'lib/index.js': `import './part.js'\n`,
    'lib/part.js': 'let b',
    'lib/unused.js': 'let b',
    LICENSE: 'same',
  }
  const { files, more } = compare(before, after)
  expect(more).toBe(0)
  expect(files.map(({ path, role }) => `${role} ${path}`)).toEqual([
    'scripts package.json',
    'patch cordis.patch.yml',
    'entry lib/index.js',
    'code lib/part.js',
    'code lib/unused.js',
    'other README.md',
  ])
})

test('shows the lines that differ, with two around them', () => {
  const text = (line: string) => ['1', '2', '3', line, '5', '6', '7'].join('\n')
  const { files } = compare({ 'index.js': text('4') }, { 'index.js': text('eval(x)') })
  expect(files).toEqual([
    {
      path: 'index.js',
      role: 'entry',
      sizeBefore: 13,
      sizeAfter: 19,
      folded: null,
      lines: ['@@ -2,5 +2,5 @@', ' 2', ' 3', '-4', '+eval(x)', ' 5', ' 6'],
    },
  ])
})

test('shows a new file and a removed one', () => {
  const { files } = compare({ 'a.js': 'let a' }, { 'b.js': 'let b' })
  expect(files).toMatchObject([
    { path: 'a.js', sizeBefore: 5, sizeAfter: null },
    { path: 'b.js', sizeBefore: null, sizeAfter: 5 },
  ])
})

test.for([
  ['minified', 'a.js', 'function a(b){return b.c(1)}var d=a(2),e=d;'.repeat(100)],
  ['minified', 'a.js.map', '{}'],
  ['binary', 'a.png', '\0\0'],
  ['long', 'a.txt', 'line\n'.repeat(30_000)],
] as const)('folds what is %s', ([folded, path, body]) => {
  expect(compare({}, { [path]: body }).files).toMatchObject([{ path, folded, lines: [] }])
})

test('lists at most 500 files, and counts the others', () => {
  const many = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`${index}.txt`, 'a']))
  const { files, more } = compare({}, many)
  expect([files.length, more]).toEqual([500, 100])
})
