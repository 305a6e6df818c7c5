import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compareTrees, readTree, readTreeChange } from './judge.ts'

const config = (...rows: string[]) => `# == a-bundle\n${rows.map((row) => `- ${row}\n`).join('')}`
const tree = (...rows: string[]) => readTree(config(...rows)) ?? []
const TIMER = '{ id: timer, name: timer }'
const SERVER = '{ id: server, name: server, disabled: !!js "ctx.none" }'
const base = tree(TIMER, SERVER)

test('distinguishes a text that is not a tree from an empty tree', () => {
  expect(readTree('[]')).toEqual([])
  for (const text of ['', 'error: unknown option', '- id: 1', '- {']) expect(readTree(text)).toBeNull()
})

test('expects the rows that a layer adds to run, unless it adds them disabled', () => {
  const withIt = tree(
    TIMER,
    SERVER,
    '{ id: a, name: x }',
    '{ id: b, name: x/b, disabled: true }',
    '{ id: c, name: x, disabled: !!js "1" }',
  )
  expect(compareTrees(base, withIt)).toEqual({
    added: ['a'],
    broken: [],
    hasEffect: true,
    insertsOnly: ['x', 'x/b', 'x'],
  })
})

test.each([
  ['takes its id', [TIMER, SERVER, '{ id: timer, name: x }']],
  ['changes its module', ['{ id: timer, name: x }', SERVER]],
  ['turns it off', ['{ id: timer, name: timer, disabled: true }', SERVER]],
  ['takes it out', [SERVER]],
])('reports a layer that %s as breaking a row of another', (_, rows) => {
  expect(compareTrees(base, tree(...rows)).broken).toEqual(['timer'])
})

test('reports an effect but no broken row for a layer that configures the row of another, and no effect without changes', () => {
  const configured = tree('{ id: timer, name: timer, config: { a: 1 } }', SERVER)
  expect(compareTrees(base, configured)).toEqual({ added: [], broken: [], hasEffect: true, insertsOnly: null })
  expect(compareTrees(base, tree(TIMER, SERVER)).hasEffect).toBe(false)
})

test('skips rows without an id, which other layers cannot refer to', () => {
  const [mine, twice] = ['{ name: ./mine.mjs }', '{ name: ./twice.mjs }']
  expect(compareTrees(tree(TIMER, mine, twice), tree(TIMER, '{ id: a, name: x }', mine, twice))).toEqual({
    added: ['a'],
    broken: [],
    hasEffect: true,
    insertsOnly: ['x'],
  })
})

test('composes the tree with and without the layer, and leaves package.json unchanged', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'plugmark-tree-'))
  const file = join(directory, 'package.json')
  const text = '{"name":"p", "dsh":{"profile":{"bundles":["base","x"],"kept":1}}}'
  try {
    await writeFile(file, text)
    const compose = async () => {
      const { dsh } = JSON.parse(await readFile(file, 'utf8'))
      expect(dsh.profile.kept).toBe(1)
      return { out: config(TIMER, ...(dsh.profile.bundles.includes('x') ? ['{ id: x, name: x }'] : [])), err: '' }
    }
    expect(await readTreeChange({ directory, compose }, 'x')).toEqual({
      added: ['x'],
      broken: [],
      hasEffect: true,
      insertsOnly: ['x'],
    })
    expect(await readTreeChange({ directory, compose: async () => ({ out: '', err: '' }) }, 'x')).toBeNull()
    expect(await readFile(file, 'utf8')).toBe(text)
  } finally {
    await rm(directory, { recursive: true })
  }
})
