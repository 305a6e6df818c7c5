import { describe, expect, test } from 'vitest'
import { complete, completionsAt, type Vocabulary } from './completions.ts'

const vocabulary: Vocabulary = {
  category: {
    name: 'category',
    values: [
      { value: 'memory', name: '记忆' },
      { value: 'model', name: '模型' },
      { value: 'tools', name: '工具' },
    ],
  },
  risk: { name: 'risk', values: [{ value: 'install script', name: 'Install script' }] },
  license: { name: 'license', values: [] },
  language: { name: 'language', values: [] },
  owner: { name: 'owner', values: [] },
  stars: { name: 'stars', values: [] },
  pushed: { name: 'pushed', values: [] },
  fits: { name: 'fits', values: [] },
  is: { name: 'is', values: [{ value: 'installed', name: 'Installed' }] },
  sort: { name: 'sort', values: [] },
}
const offered = (text: string, caret = text.length) =>
  completionsAt(text, caret, vocabulary)?.list.map(({ insert }) => insert) ?? []

describe('completion', () => {
  test.each([
    ['', []],
    ['category', []],
    ['memory', []],
    ['notes 记', []],
    ['category:', ['memory', 'model', 'tools']],
    ['category:m', ['memory', 'model']],
    ['category:memory,', ['model', 'tools']],
    ['category:记', ['memory']],
    ['分类：m', ['memory', 'model']],
    ['risk:', ['"install script"']],
    ['risk:"inst', ['"install script"']],
    ['colour:', []],
    ['category:zzz', []],
  ])('offers after "%s": %j', (text, expected) => {
    expect(offered(text)).toEqual(expected)
  })

  test('completes at the caret, not at the end', () => {
    expect(offered('category:m notes', 10)).toEqual(['memory', 'model'])
    expect(offered('category:m notes')).toEqual([])
  })
})

test.each([
  ['x category:m notes', 12, 'x category:memory notes'],
  ['category:memory,m', 17, 'category:memory,model '],
  ['risk:"inst', 10, 'risk:"install script" '],
])('inserts a completion into "%s"', (text, at, expected) => {
  const found = completionsAt(text, at, vocabulary)!
  expect(complete(text, found, found.list[0]!)).toBe(expected)
})
