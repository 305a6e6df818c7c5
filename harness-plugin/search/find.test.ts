import { describe, expect, test } from 'vitest'
import type { StoreListing } from '../protocol/index.ts'
import { aListing } from '../view/testing.ts'
import { findListings, type LocalListings } from './find.ts'
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
/** Listings in memory, as a host keeps them; `parsed` are the ids that a search read. */
function local(rows: readonly StoreListing[], parsed: string[] = []): LocalListings {
  const read = (some: readonly StoreListing[]) => {
    parsed.push(...some.map(({ id }) => id))
    return some
  }
  return {
    get rows() {
      return read(rows)
    },
    rowsWhere: (test) => read(rows.filter((row) => test(JSON.stringify({ fullName: row.id, ...row })))),
  }
}
const profile = { installed: new Set(['a/lantern']), updatable: new Set<string>() }
const found = (query: string, moreIds: readonly string[] = []) => {
  const more = moreIds.flatMap((id) => rows.find((row) => row.id === id) ?? aListing(id))
  const { listings, hasEveryWord, hidden } = findListings(local(rows), parseQuery(query), { profile, more })
  return { ids: listings.map(({ id }) => id), hasEveryWord, hidden }
}

describe('findListings', () => {
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
  ])('finds by the words of a listing: %s', (query, ids) => {
    expect(found(query)).toEqual({ ids, hasEveryWord: true, hidden: 0 })
  })

  test.each(['memory', '记忆'])('finds by a category in either language, the most stars first: %s', (query) => {
    expect(found(query)).toEqual({ ids: ['a/beacon', 'a/lantern'], hasEveryWord: true, hidden: 0 })
  })

  test('finds the listings with most of the words when none has all', () => {
    const { ids, hasEveryWord } = found('keeps memory notes between sessions')
    expect(hasEveryWord).toBe(false)
    expect(ids[0]).toBe('a/lantern')
    expect(ids).not.toContain('b/slate')
  })

  test('parses only listings whose text has every word, unless no listing has them all', () => {
    const parsed: string[] = []
    findListings(local(rows, parsed), parseQuery('notes disk'), { profile })
    expect(parsed).toEqual(['a/lantern'])
    findListings(local(rows, parsed), parseQuery('notes xylophone'), { profile })
    expect(parsed.slice(1)).toEqual(rows.map(({ id }) => id))
  })

  test('finds nothing when no listing has any of the words', () => {
    expect(found('xylophone quartz')).toEqual({ ids: [], hasEveryWord: false, hidden: 0 })
    expect(found('xylophone')).toEqual({ ids: [], hasEveryWord: true, hidden: 0 })
  })

  test('applies every filter of the query, and its order', () => {
    expect(found('is:all sort:name').ids).toEqual(['a/beacon', 'a/lantern', 'b/paper-kite', 'b/slate'])
    expect(found('memory is:installed').ids).toEqual(['a/lantern'])
    expect(found('notes license:isc').ids).toEqual([])
  })

  test('appends the results of the directory', () => {
    expect(found('kite', ['a/beacon', 'b/paper-kite', 'x/not-here']).ids).toEqual([
      'b/paper-kite',
      'a/beacon',
      'x/not-here',
    ])
  })

  test('returns only the results of the directory when no local listing has all words', () => {
    expect(found('keeps sessions', ['b/slate'])).toMatchObject({ ids: ['b/slate'], hasEveryWord: true })
  })

  test.each([
    ['https://github.com/a/beacon', ['a/beacon']],
    ['github:a/beacon', ['a/beacon']],
    ['git@github.com:b/paper-kite.git', ['b/paper-kite']],
    ['dsh plugin --profile web add paper-kite', ['b/paper-kite']],
    ['dsh plugin --profile web add github:a/lantern', ['a/lantern']],
  ])('finds by a pasted address or install command: %s', (pasted, ids) => {
    expect(found(pasted).ids).toEqual(ids)
  })

  test.each([
    ['sort:pushed', ['b/paper-kite', 'a/beacon', 'a/lantern']],
    ['owner:B', ['b/paper-kite']],
    ['作者:b', ['b/paper-kite']],
  ])('filters by owner, and sorts by the last push: %s', (query, ids) => {
    const pushed = rows.map((row) =>
      row.id === 'b/paper-kite' ? { ...row, pushedAt: '2026-11-01T00:00:00.000Z' } : row,
    )
    const described = pushed.filter(({ described }) => described)
    expect(findListings(local(described), parseQuery(query), { profile }).listings.map(({ id }) => id)).toEqual(ids)
  })

  test('spreads the parts of one repository among others with stars of their own', () => {
    const parts = ['x', 'y', 'z'].map((part) => aListing(`big/repo#packages/${part}`, { stars: 90, npmPackage: part }))
    const all = [...parts, aListing('c/whole', { stars: 60 }), aListing('d/whole', { stars: 40 })]
    const { listings } = findListings(local(all), parseQuery(''), { profile })
    expect(listings.map(({ id }) => id)).toEqual([
      'big/repo#packages/x',
      'c/whole',
      'big/repo#packages/y',
      'd/whole',
      'big/repo#packages/z',
    ])
  })

  test('finds the best plugin that passed when one that did not has more of the words', () => {
    const more = [
      aListing('x/failed', { summary: 'Telegram alarm bridge', verdict: 'failed' }),
      aListing('x/passed', { summary: 'Telegram bot' }),
    ]
    const { listings, hidden } = findListings(local([...rows, ...more]), parseQuery('telegram alarm xylophone'), {
      profile,
    })
    expect([listings.map(({ id }) => id), hidden]).toEqual([['x/passed'], 1])
  })

  test('counts the listings that the install check hides', () => {
    const failed = aListing('b/kite-failed', { verdict: 'failed' })
    const { listings, hidden } = findListings(local([...rows, failed]), parseQuery('kite'), { profile })
    expect([listings.length, hidden]).toEqual([1, 1])
  })
})
