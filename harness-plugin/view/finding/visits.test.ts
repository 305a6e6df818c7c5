import { expect, test } from 'vitest'
import { recordVisit } from './visits.ts'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR

function aBrowser() {
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
  }
  const visit = (now: number, ids: readonly string[], directory = 'https://directory.example') => {
    const { fresh, since } = recordVisit(storage, { directory, ids, now })
    return { fresh: [...fresh], since }
  }
  return { kept, visit }
}

test('marks nothing as new at the first visit, also while listings arrive during it', () => {
  const { visit } = aBrowser()
  expect(visit(DAY, ['a/one', 'a/two'])).toEqual({ fresh: [], since: null })
  expect(visit(DAY + HOUR, ['a/one', 'a/two', 'a/three'])).toEqual({ fresh: [], since: null })
})

test('marks what was added since the previous visit, until the next one', () => {
  const { visit } = aBrowser()
  visit(DAY, ['a/one', 'a/two'])
  const news = { fresh: ['b/new'], since: DAY }
  expect(visit(3 * DAY, ['a/one', 'a/two', 'b/new'])).toEqual(news)
  expect(visit(3 * DAY + HOUR, ['a/one', 'a/two', 'b/new'])).toEqual(news)
  expect(visit(3 * DAY + 2 * HOUR, ['a/one', 'b/new', 'c/newer'])).toEqual({ fresh: ['b/new', 'c/newer'], since: DAY })
  expect(visit(4 * DAY, ['a/one', 'b/new', 'c/newer'])).toEqual({ fresh: [], since: 3 * DAY })
})

test('does not mark a listing as new if only the case of its name changed', () => {
  const { visit } = aBrowser()
  visit(DAY, ['A/One'])
  expect(visit(3 * DAY, ['a/one']).fresh).toEqual([])
})

test('starts anew with another directory, and when what is kept is damaged', () => {
  const { kept, visit } = aBrowser()
  visit(DAY, ['a/one'])
  expect(visit(3 * DAY, ['a/one', 'b/other'], 'https://other.example')).toEqual({ fresh: [], since: null })
  for (const [key] of kept)
    kept.set(key, '{"directory":"https://other.example","at":1,"before":null,"seen":"%","fresh":[]}')
  expect(visit(5 * DAY, ['a/one'], 'https://other.example').fresh).toEqual([])
})

test('goes on without a storage that is full', () => {
  const storage = {
    getItem: () => null,
    setItem() {
      throw new DOMException('full', 'QuotaExceededError')
    },
  }
  const news = recordVisit(storage, { directory: 'https://directory.example', ids: ['a/one'], now: 0 })
  expect(news).toEqual({ fresh: new Set(), since: null })
})

test('keeps 20,000 listings in about 100 KB', () => {
  const { kept, visit } = aBrowser()
  visit(
    0,
    Array.from({ length: 20_000 }, (_, n) => `owner-${n}/repository-${n}`),
  )
  expect([...kept.values()][0]!.length).toBeLessThan(110_000)
})
