import { expect, test } from 'vitest'
import { DEFAULT_FILTERS, type Filters } from '../../search/facets.ts'
import { addressOf, placeOf, type StorePlace } from './address.ts'

const place = (change: Partial<StorePlace> = {}, filters: Partial<Filters> = {}): StorePlace => ({
  text: '',
  listing: null,
  view: 'find',
  ...change,
  filters: { ...DEFAULT_FILTERS, ...filters },
})

test.each([
  [place(), ''],
  [place({ text: '笔记' }, { category: ['memory', 'ui'] }), 'q=%E7%AC%94%E8%AE%B0&category=memory%2Cui'],
  [place({}, { verdict: ['all'], traits: ['installed'], sort: 'name' }), 'is=all%2Cinstalled&sort=name'],
  [place({}, { license: ['A "licence", with marks'] }), 'license=%22A+%5C%22licence%5C%22%2C+with+marks%22'],
  [place({ listing: 'a/b#packages/c' }), 'plugin=a%2Fb%23packages%2Fc'],
  [place({ text: 'a', view: 'installed' }), 'q=a&view=installed'],
] as const)('converts %j to %s and back', (place, address) => {
  expect(addressOf(place)).toBe(address)
  expect(placeOf(address)).toEqual(place)
})

test('reads filters from the text, as older links have them and people type them', () => {
  const expected = place({ text: 'kite' }, { category: ['memory'], verdict: ['all'] })
  expect(placeOf('q=kite+category%3Amemory+is%3Aall')).toEqual(expected)
  expect(placeOf('category=Memory&is=全部插件&q=kite')).toEqual(expected)
  expect(addressOf(place({ text: 'kite 分类:记忆 ' }))).toBe('q=kite&category=memory')
})

test('keeps an unknown filter in the text, and ignores anything else', () => {
  expect(placeOf('category=hats&is=all')).toEqual(place({ text: 'category:hats' }, { verdict: ['all'] }))
  expect(placeOf('?x=1&plugin=&view=other&%%%')).toEqual(place())
})
