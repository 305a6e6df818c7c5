import { describe, expect, test } from 'vitest'
import { aListing } from '../../view/testing.ts'
import { findListings } from './find.ts'

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
const found = (query: string) => {
  const { listings, all } = findListings(rows, query.split(' '))
  return { ids: listings.map(({ id }) => id), all }
}

describe('finds', () => {
  test.each<[string, string[]]>([
    ['kite', ['b/paper-kite']],
    ['notes disk', ['a/lantern']],
    ['笔记', ['a/lantern']],
    ['messgae', ['b/paper-kite']],
    ['slate', ['b/slate']],
  ])('by the words of a listing: %s', (query, ids) => {
    expect(found(query)).toEqual({ ids, all: true })
  })

  test.each(['memory', '记忆'])('by a category in either language, the most stars first: %s', (query) => {
    expect(found(query)).toEqual({ ids: ['a/beacon', 'a/lantern'], all: true })
  })

  test('what has the most of the words, where nothing has all', () => {
    const { ids, all } = found('keeps memory notes between sessions')
    expect(all).toBe(false)
    expect(ids[0]).toBe('a/lantern')
    expect(ids).not.toContain('b/slate')
  })

  test('nothing where no word is found', () => {
    expect(found('xylophone quartz')).toEqual({ ids: [], all: false })
    expect(found('xylophone')).toEqual({ ids: [], all: true })
  })
})
