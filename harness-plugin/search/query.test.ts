import { CATEGORIES, RISK_FLAGS } from '@plugmark/shared/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chosenValues, DEFAULT_FILTERS, FACETS, type Filters, SORTS, toggled } from './facets.ts'
import { parseQuery, parseText, type Query, renderFilters, renderWords } from './query.ts'

const query = (change: Partial<Query>): Query => ({ ...DEFAULT_FILTERS, words: [], problems: [], ...change })

describe('a query', () => {
  test.each<[string, Partial<Query>]>([
    ['', {}],
    ['  notes  Kite ', { words: ['notes', 'Kite'] }],
    ['category:memory notes', { words: ['notes'], category: ['memory'] }],
    ['category:memory,tools category:fun', { category: ['memory', 'tools', 'fun'] }],
    ['CATEGORY:Memory', { category: ['memory'] }],
    ['分类:记忆', { category: ['memory'] }],
    ['category:记忆', { category: ['memory'] }],
    ['category:interface', { category: ['ui'] }],
    ['category:Notifications,主题', { category: ['notify', 'theme'] }],
    ['category:"usage and cost"', { category: ['usage'] }],
    ['风险:终端权限', { risk: ['terminal surface'] }],
    ['risk:needs-credentials', { risk: ['requires credentials'] }],
    ['状态:全部插件,已安装', { verdict: ['all'], traits: ['installed'] }],
    ['is:has-updates', { traits: ['updatable'] }],
    ['排序:名称', { sort: 'name' }],
    ['许可证:未注明', { license: ['none'] }],
    ['risk:"install script",none', { risk: ['install script', 'none'] }],
    ['risk:install-script', { risk: ['install script'] }],
    ['risk:"a newer flag"', { risk: ['a newer flag'] }],
    ['license:Apache-2.0 licence:MIT', { license: ['Apache-2.0', 'MIT'] }],
    ['license:mit license:MIT', { license: ['mit'] }],
    ['language:C++ 语言:go,未注明', { language: ['C++', 'go', 'none'] }],
    ['is:all is:installed', { verdict: ['all'], traits: ['installed'] }],
    ['is:all is:passed', { verdict: ['passed'] }],
    ['sort:name sort:checked', { sort: 'checked' }],
    ['分类：memory，tools 笔记', { words: ['笔记'], category: ['memory', 'tools'] }],
    ['风险：“install script”', { risk: ['install script'] }],
    ['"category:memory" "two words"', { words: ['category:memory', 'two words'] }],
    ['https://github.com/a/b', { words: ['a/b'] }],
    ['category: notes', { words: ['notes'] }],
    ['"open ended', { words: ['open ended'] }],
  ])('a query is parsed: %s', (text, expected) => {
    expect(parseQuery(text)).toEqual(query(expected))
  })

  test.each<[string, Query['problems'][number]]>([
    ['colour:red', { kind: 'key', key: 'colour', values: ['red'], near: null }],
    ['categry:memory', { kind: 'key', key: 'categry', values: ['memory'], near: 'category' }],
    ['分纇:记忆', { kind: 'key', key: '分纇', values: ['记忆'], near: null }],
    ['category:tool', { kind: 'value', key: 'category', values: ['tool'] }],
    ['category:hats', { kind: 'value', key: 'category', values: ['hats'] }],
    ['is:installed,broken', { kind: 'value', key: 'is', values: ['broken'] }],
    ['sort:size', { kind: 'value', key: 'sort', values: ['size'] }],
  ])('reports the part that is not understood: %s', (text, problem) => {
    expect(parseQuery(text).problems).toEqual([problem])
    expect(parseText(text).rest).toBe(text.replace('installed,', ''))
  })
})

const words = fc.string({ minLength: 1, unit: 'grapheme' }).filter((word) => word === word.trim() && word !== '')
const anyQuery = fc.record({
  words: fc.array(words, { maxLength: 3 }),
  category: fc.uniqueArray(fc.constantFrom(...CATEGORIES, 'other')),
  risk: fc.uniqueArray(fc.constantFrom(...RISK_FLAGS, 'none')),
  license: fc.uniqueArray(
    fc.constantFrom('MIT', 'A licence, with a comma', 'The "As Is" licence', '“宽松”', '"', '\\', 'a\\', 'none'),
  ),
  language: fc.uniqueArray(fc.constantFrom('TypeScript', 'C++', 'Jupyter Notebook', 'none')),
  owner: fc.uniqueArray(fc.constantFrom('lanternworks', 'brass-work')),
  verdict: fc.constantFrom(...FACETS.verdict.values).map((value) => [value]),
  traits: fc.uniqueArray(fc.constantFrom(...FACETS.traits.values)),
  fits: fc.uniqueArray(fc.constantFrom(...FACETS.fits.values)),
  stars: fc.uniqueArray(fc.constantFrom('>1000', '<=2k', '10')),
  pushed: fc.uniqueArray(fc.constantFrom('>2026-08-01', '<2026', '>=2026-08')),
  sort: fc.constantFrom(...SORTS, null),
  problems: fc.constant([]),
})

test('parses the text of every query back to the same query', () => {
  const textOf = (query: Query) =>
    [renderWords(query.words), ...Object.entries(renderFilters(query)).map((pair) => pair.join(':'))].join(' ')
  fc.assert(
    fc.property(anyQuery, (query) => {
      expect(parseQuery(textOf(query))).toEqual(query)
    }),
  )
})

test('parses any text, and leaves a rest with the same words and problems', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const { words, problems, rest } = parseText(text)
      expect(parseText(rest)).toEqual({ words, problems, rest, filters: {} })
    }),
  )
})

test('leaves the words and unfinished filters of a text as its rest', () => {
  for (const [text, rest] of [
    ['kite category:memory paper', 'kite paper'],
    ['category:memory,hats', 'category:hats'],
    ['kite is:', 'kite is:'],
    ['"two words" is:all', '"two words"'],
  ] as const)
    expect(parseText(text).rest).toBe(rest)
})

test('adds typed filters to the chosen ones, and replaces those with a single value', () => {
  const chosen: Filters = { ...DEFAULT_FILTERS, category: ['memory'], verdict: ['all'], sort: 'name' }
  expect(parseQuery('category:ui is:passed', chosen)).toMatchObject({
    category: ['memory', 'ui'],
    verdict: ['passed'],
    sort: 'name',
  })
})

test('removes each chosen value alone', () => {
  const { words: _, problems: __, ...filters } = parseQuery('category:memory,ui is:all,installed risk:none sort:name')
  const values = chosenValues(filters)
  expect(values.map(({ value }) => value)).toEqual(['all', 'installed', 'memory', 'ui', 'none'])
  expect(values.find(({ value }) => value === 'memory')?.without).toEqual({ ...filters, category: ['ui'] })
  expect(values[0]?.without).toEqual({ ...filters, verdict: ['installs'] })
})

test('adds a value when it is toggled, and removes it when toggled again', () => {
  const filters = (license: string[]): Filters => ({ ...DEFAULT_FILTERS, license })
  expect(toggled(filters(['MIT']), 'license', 'ISC')).toEqual(['MIT', 'ISC'])
  expect(toggled(filters(['MIT', 'ISC']), 'license', 'mit')).toEqual(['ISC'])
})
