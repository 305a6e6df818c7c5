import { expect, test } from 'vitest'
import { addressOf, placeOf } from './address.ts'

test.each([
  [{ text: '', listing: null, view: 'find' }, ''],
  [{ text: 'category:memory 笔记', listing: null, view: 'find' }, 'q=category%3Amemory+%E7%AC%94%E8%AE%B0'],
  [{ text: '', listing: 'a/b#packages/c', view: 'find' }, 'plugin=a%2Fb%23packages%2Fc'],
  [{ text: 'a', listing: null, view: 'installed' }, 'q=a&view=installed'],
] as const)('%j is %s, both ways', (place, address) => {
  expect(addressOf(place)).toBe(address)
  expect(placeOf(address)).toEqual(place)
})

test('anything else in an address is passed over', () => {
  expect(placeOf('?x=1&plugin=&view=other&%%%')).toEqual({ text: '', listing: null, view: 'find' })
})
