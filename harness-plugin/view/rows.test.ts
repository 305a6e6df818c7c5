import { expect, test } from 'vitest'
import type { CatalogueStatus, ListingsPage } from '../protocol/index.ts'
import { ListingCopy } from './rows.ts'
import { aListing } from './testing.ts'

const page = (revision: number, from: number, ids: string[], end = from + ids.length): ListingsPage => ({
  status: { revision, end } as CatalogueStatus,
  from,
  next: from + ids.length,
  rows: ids.map((id) => aListing(id)),
})
const ids = (copy: ListingCopy) => copy.rows().map(({ id }) => id)

test('reads pages until the end, and replaces rows that changed', () => {
  const copy = new ListingCopy()
  expect(copy.take(page(1, 0, ['a/one', 'a/two'], 3))).toBe(true)
  expect(copy.next).toBe(2)
  expect(copy.take(page(1, 2, ['a/one']))).toBe(false)
  expect(ids(copy)).toEqual(['a/one', 'a/two'])
  expect(copy.isComplete({ revision: 1, end: 3 })).toBe(true)
  expect(copy.isComplete({ revision: 1, end: 4 })).toBe(false)
})

test('starts again for a new revision, and drops rows of an outdated position', () => {
  const copy = new ListingCopy()
  copy.take(page(1, 0, ['a/one', 'a/two'], 3))
  expect(copy.take(page(2, 2, ['a/wrong'], 3))).toBe(true)
  expect([copy.next, ids(copy)]).toEqual([0, ['a/one', 'a/two']])
  expect(copy.take(page(2, 0, ['a/three']))).toBe(false)
  expect(ids(copy)).toEqual(['a/three'])
})

test('keeps the rows of the previous revision until the new one is complete', () => {
  const copy = new ListingCopy()
  copy.take(page(1, 0, ['a/one', 'a/two', 'a/three']))
  expect(copy.take(page(2, 0, ['a/one'], 2))).toBe(true)
  expect(ids(copy)).toEqual(['a/one', 'a/two', 'a/three'])
  expect(copy.take(page(2, 1, ['a/three']))).toBe(false)
  expect(ids(copy)).toEqual(['a/one', 'a/three'])
})

test('stops at an answer that makes no progress', () => {
  const copy = new ListingCopy()
  expect(copy.take(page(1, 0, [], 5))).toBe(false)
})
