import { CATEGORIES, RISK_FLAGS } from '@plugmark/shared/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEFAULT_QUERY, parseQuery, type Query, renderQuery, SORTS, TRAITS, toggled, VERDICT_FILTERS } from './query.ts'

const query = (change: Partial<Query>): Query => ({ ...DEFAULT_QUERY, ...change })

describe('a query', () => {
  test.each<[string, Partial<Query>]>([
    ['', {}],
    ['  notes  Kite ', { words: ['notes', 'Kite'] }],
    ['category:memory notes', { words: ['notes'], category: ['memory'] }],
    ['category:memory,tools category:fun', { category: ['memory', 'tools', 'fun'] }],
    ['CATEGORY:Memory', { category: ['memory'] }],
    ['risk:"install script",none', { risk: ['install script', 'none'] }],
    ['risk:install-script', { risk: ['install script'] }],
    ['risk:"a newer flag"', { risk: ['a newer flag'] }],
    ['license:Apache-2.0 licence:MIT', { license: ['Apache-2.0', 'MIT'] }],
    ['license:mit license:MIT', { license: ['mit'] }],
    ['is:all is:installed', { verdict: 'all', traits: ['installed'] }],
    ['is:all is:passed', { verdict: 'passed' }],
    ['sort:name sort:checked', { sort: 'checked' }],
    ['分类：memory，tools 笔记', { words: ['笔记'], category: ['memory', 'tools'] }],
    ['风险：“install script”', { risk: ['install script'] }],
    ['"category:memory" "two words"', { words: ['category:memory', 'two words'] }],
    ['https://github.com/a/b', { words: ['https://github.com/a/b'] }],
    ['category: notes', { words: ['notes'] }],
    ['"open ended', { words: ['open ended'] }],
  ])('%s', (text, expected) => {
    expect(parseQuery(text)).toEqual(query(expected))
  })

  test.each<[string, Query['problems'][number]]>([
    ['colour:red', { kind: 'key', key: 'colour', values: ['red'] }],
    ['category:hats', { kind: 'value', key: 'category', values: ['hats'] }],
    ['is:installed,broken', { kind: 'value', key: 'is', values: ['broken'] }],
    ['sort:size', { kind: 'value', key: 'sort', values: ['size'] }],
  ])('%s has a part that means nothing, and says which', (text, problem) => {
    expect(parseQuery(text).problems).toEqual([problem])
    expect(parseQuery(renderQuery(parseQuery(text)))).toEqual(parseQuery(text))
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
  verdict: fc.constantFrom(...VERDICT_FILTERS),
  traits: fc.uniqueArray(fc.constantFrom(...TRAITS)),
  sort: fc.constantFrom(...SORTS, null),
  problems: fc.constant([]),
})

test('every query is read from its text as the same query', () => {
  fc.assert(
    fc.property(anyQuery, (query) => {
      expect(parseQuery(renderQuery(query))).toEqual(query)
    }),
  )
})

test('any text is a query, whose text is that query again', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const query = parseQuery(text)
      expect(parseQuery(renderQuery(query))).toEqual(query)
    }),
  )
})

test('the text of the default is empty', () => {
  expect(renderQuery(DEFAULT_QUERY)).toBe('')
})

test('toggling adds a value, and takes it away again', () => {
  expect(toggled(['MIT'], 'ISC')).toEqual(['MIT', 'ISC'])
  expect(toggled(['MIT', 'ISC'], 'mit')).toEqual(['ISC'])
})
