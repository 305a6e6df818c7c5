import { beforeEach, expect, test, vi } from 'vitest'
import { nextTick, shallowRef } from 'vue'
import { aListing, READY } from '../testing.ts'
import { followLooks } from './looks.ts'

const HOUR_MS = 60 * 60_000

let stored: Map<string, string>
beforeEach(() => {
  stored = new Map()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  })
  return () => vi.unstubAllGlobals()
})

/** Looks at a directory with these listings. */
function look(ids: readonly string[], { hours = 0, count = ids.length } = {}) {
  const rows = shallowRef(ids.map((id) => aListing(id)))
  const status = shallowRef({ ...READY, count, generated: '2026-11-28T00:00:00.000Z' })
  const unseen = followLooks(rows, status, hours * HOUR_MS)
  return { rows, unseen: () => [...unseen.value] }
}

test('calls nothing new at the first look', () => {
  expect(look(['a/one', 'a/two']).unseen()).toEqual([])
})

test('calls new what was not there at the look before, and no more at the next', () => {
  look(['a/one'])
  expect(look(['a/one', 'a/two'], { hours: 2 }).unseen()).toEqual(['a/two'])
  expect(look(['a/one', 'a/two'], { hours: 4 }).unseen()).toEqual([])
})

test('keeps what is new while the store is closed for less than an hour', () => {
  look(['a/one'])
  look(['a/one', 'a/two'], { hours: 2 })
  expect(look(['a/one', 'a/two'], { hours: 2.5 }).unseen()).toEqual(['a/two'])
})

test('remembers a look once all listings have arrived', async () => {
  look(['a/one'])
  const { rows } = look(['a/one'], { hours: 2, count: 2 })
  expect(look(['a/two'], { hours: 4, count: 3 }).unseen()).toEqual(['a/two'])
  rows.value = [aListing('a/one'), aListing('a/two')]
  await nextTick()
  expect(look(['a/one', 'a/two'], { hours: 4 }).unseen()).toEqual([])
})

test('calls nothing new where the browser stores nothing', () => {
  vi.stubGlobal('localStorage', undefined)
  look(['a/one'])
  expect(look(['a/one', 'a/two'], { hours: 2 }).unseen()).toEqual([])
})
