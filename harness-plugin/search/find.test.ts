import { describe, expect, test } from 'vitest'
import { aListing } from '../view/testing.ts'
import { findListings } from './find.ts'
import { parseQuery } from './query.ts'

const rows = [
  aListing('a/lantern', {
    summary: 'Keeps notes on disk',
    summaryZh: '在磁盘上保存笔记',
    category: 'memory',
    stars: 5,
  }),
  aListing('a/beacon', { summary: 'Recalls what was said', category: 'memory', stars: 50 }),
  aListing('b/paper-kite', { summary: 'Sends a message when a turn ends', category: 'notify' }),
  aListing('b/slate', { summary: null, category: null, described: false }),
]
const profile = { installed: new Set(['a/lantern']), updatable: new Set<string>() }
const found = (query: string, more: readonly string[] = []) => {
  const { listings, hasEveryWord, hidden } = findListings(rows, parseQuery(query), { profile, more })
  return { ids: listings.map(({ id }) => id), hasEveryWord, hidden }
}

describe('finds', () => {
  test.each<[string, string[]]>([
    ['kite', ['b/paper-kite']],
    ['notes disk', ['a/lantern']],
    ['笔记', ['a/lantern']],
    ['messgae', ['b/paper-kite']],
    ['slate', ['b/slate']],
    ['notes, disk', ['a/lantern']],
    ['notes & disk.', ['a/lantern']],
    ['笔记、磁盘', ['a/lantern']],
    ['(paper-kite)', ['b/paper-kite']],
  ])('by the words of a listing: %s', (query, ids) => {
    expect(found(query)).toEqual({ ids, hasEveryWord: true, hidden: 0 })
  })

  test.each(['memory', '记忆'])('by a category in either language, the most stars first: %s', (query) => {
    expect(found(query)).toEqual({ ids: ['a/beacon', 'a/lantern'], hasEveryWord: true, hidden: 0 })
  })

  test('what has the most of the words, where nothing has all', () => {
    const { ids, hasEveryWord } = found('keeps memory notes between sessions')
    expect(hasEveryWord).toBe(false)
    expect(ids[0]).toBe('a/lantern')
    expect(ids).not.toContain('b/slate')
  })

  test('nothing where no word is found', () => {
    expect(found('xylophone quartz')).toEqual({ ids: [], hasEveryWord: false, hidden: 0 })
    expect(found('xylophone')).toEqual({ ids: [], hasEveryWord: true, hidden: 0 })
  })

  test('within every filter of the query, and in its order', () => {
    expect(found('is:all sort:name').ids).toEqual(['a/beacon', 'a/lantern', 'b/paper-kite', 'b/slate'])
    expect(found('memory is:installed').ids).toEqual(['a/lantern'])
    expect(found('notes license:isc').ids).toEqual([])
  })

  test('behind those, what the directory found', () => {
    expect(found('kite', ['a/beacon', 'b/paper-kite', 'x/not-here']).ids).toEqual(['b/paper-kite', 'a/beacon'])
  })

  test('and that alone, where nothing here has all of the words', () => {
    expect(found('keeps sessions', ['b/slate'])).toMatchObject({ ids: ['b/slate'], hasEveryWord: true })
  })

  test('and counts what the install check hides', () => {
    const failed = aListing('b/kite-failed', { verdict: 'failed' })
    const { listings, hidden } = findListings([...rows, failed], parseQuery('kite'), { profile })
    expect([listings.length, hidden]).toEqual([1, 1])
  })
})
