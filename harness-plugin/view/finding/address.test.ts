import { expect, test } from 'vitest'
import { addressOf, placeOf } from './address.ts'

test.each([
  [{ text: '', listing: null }, ''],
  [{ text: 'category:memory 笔记', listing: null }, 'q=category%3Amemory+%E7%AC%94%E8%AE%B0'],
  [{ text: '', listing: 'a/b#packages/c' }, 'plugin=a%2Fb%23packages%2Fc'],
])('%j is %s, both ways', (place, address) => {
  expect(addressOf(place)).toBe(address)
  expect(placeOf(address)).toEqual(place)
})

test('anything else in an address is passed over', () => {
  expect(placeOf('?x=1&plugin=&%%%')).toEqual({ text: '', listing: null })
})
