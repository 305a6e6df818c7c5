import { describe, expect, test } from 'vitest'
import type { StoreListing } from '../protocol/index.ts'
import { aListing } from '../view/testing.ts'
import { DEFAULT_FILTERS, FacetIndex, NO_PROFILE } from './facets.ts'
import { entriesOf, filterFound, findListings, searchWith } from './find.ts'
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
const installed = new Set(['a/lantern'])
const found = (query: string, moreIds: readonly string[] = []) => {
  const more = moreIds.flatMap((id) => rows.find((row) => row.id === id) ?? aListing(id))
  const { listings, hasEveryWord, hidden } = findListings(rows, parseQuery(query), { installed, more })
  return { ids: listings.map(({ id }) => id), hasEveryWord, hidden }
}
const findIn = (all: readonly StoreListing[], query: string) => {
  const { listings, ...rest } = findListings(all, parseQuery(query), { installed })
  return { ids: listings.map(({ id }) => id), ...rest }
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

  test('corrects a word from all listings, not only from those with accents', () => {
    const all = [...rows, aListing('c/cafe', { summary: 'Keeps the memory of a café', category: null })]
    const { ids, meant, missing } = findIn(all, 'memry')
    expect(ids).toEqual(expect.arrayContaining(['a/lantern', 'a/beacon', 'c/cafe']))
    expect({ meant, missing }).toEqual({ meant: 'memory', missing: [] })
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

  test('puts the results of the directory before listings with only some of the words', () => {
    expect(found('keeps sessions', ['b/slate'])).toMatchObject({ ids: ['b/slate', 'a/lantern'], hasEveryWord: true })
  })

  test.each([
    ['https://github.com/a/beacon', ['a/beacon']],
    ['github:a/beacon', ['a/beacon']],
    ['git@github.com:b/paper-kite.git', ['b/paper-kite']],
    ['dsh plugin --profile web add paper-kite', ['b/paper-kite']],
    ['paper-kite@1.0.0', ['b/paper-kite']],
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
    expect(findListings(described, parseQuery(query), { installed }).listings.map(({ id }) => id)).toEqual(ids)
  })

  test('ranks the parts of one repository, which share its stars, below whole ones', () => {
    const parts = ['x', 'y', 'z'].map((part) => aListing(`big/repo#packages/${part}`, { stars: 90, npmPackage: part }))
    const all = [...parts, aListing('c/whole', { stars: 60 }), aListing('d/whole', { stars: 40 })]
    const { listings } = findListings(all, parseQuery(''))
    expect(listings.map(({ id }) => id)).toEqual([
      'c/whole',
      'd/whole',
      'big/repo#packages/x',
      'big/repo#packages/y',
      'big/repo#packages/z',
    ])
  })

  test('finds the best plugin that passed when one that did not has more of the words', () => {
    const more = [
      aListing('x/failed', { summary: 'Telegram alarm bridge', verdict: 'failed' }),
      aListing('x/passed', { summary: 'Telegram bot' }),
    ]
    const { listings, hidden } = findListings([...rows, ...more], parseQuery('telegram alarm xylophone'))
    expect([listings.map(({ id }) => id), hidden]).toEqual([['x/passed'], 1])
  })

  test('finds what needs the approval of a build script, and not what is hidden for another reason', () => {
    const more = [
      aListing('b/asks', { verdict: 'needs-approval', summary: 'A kite' }),
      aListing('b/failed', { verdict: 'failed', summary: 'A kite' }),
    ]
    expect(findIn([...rows, ...more], 'kite')).toMatchObject({ ids: ['b/paper-kite', 'b/asks'], hidden: 1 })
  })

  test('puts those with a summary in the language of the reader first among equal matches', () => {
    const all = [
      aListing('c/a', { summary: '记住一切', summaryZh: '记住一切', category: 'memory', stars: 90 }),
      aListing('c/b', { summary: 'Keeps everything', summaryZh: null, category: 'memory', stars: 10 }),
    ]
    const names = (locale: 'en' | 'zh') =>
      findListings(all, parseQuery('memory'), { locale }).listings.map(({ id }) => id)
    expect(names('en')).toEqual(['c/b', 'c/a'])
    expect(names('zh')).toEqual(['c/a', 'c/b'])
  })

  test('counts the listings that the install check hides', () => {
    const failed = aListing('b/failed', { verdict: 'failed', summary: 'A kite' })
    const { listings, hidden } = findListings([...rows, failed], parseQuery('kite'))
    expect([listings.length, hidden]).toEqual([1, 1])
  })

  describe('names', () => {
    const named = [
      ...rows,
      aListing('c/copper-bell', { npmPackage: '@c/dsh-copper-bell', verdict: 'needs-approval', summary: 'Tolls' }),
      aListing('c/bellows', { verdict: 'failed', summary: 'Blows the copper-bell' }),
    ]

    test.each(['copper-bell', 'copper bell', 'copper-b', 'Copper-Bell', '@c/dsh-copper-bell', 'c/copper-bell'])(
      'pass the filter by install check when they are typed in full or begun: %s',
      (typed) => {
        expect(findIn(named, typed)).toMatchObject({ ids: ['c/copper-bell'] })
      },
    )

    test('names pass no other filter, and not when they only contain the words', () => {
      expect(findIn(named, 'copper-bell category:notify').ids).toEqual([])
      expect(findIn(named, 'tolls is:passed')).toMatchObject({ ids: [], hidden: 1 })
      expect(findIn(named, 'bellows').ids).toEqual(['c/bellows'])
      expect(findIn(named, 'bellows').hidden).toBe(0)
    })
  })

  test('counts a category as it lists it, with what was named and did not pass', () => {
    const named = [aListing('c/memory-lane', { verdict: 'failed', category: 'memory' }), ...rows]
    const shown = (text: string) => {
      const entries = entriesOf(named)
      const found = searchWith(entries, [text], { more: [], sort: null })
      const filtered = filterFound(new FacetIndex(), found, { filters: DEFAULT_FILTERS, profile: NO_PROFILE })
      return [filtered.entries.length, filtered.counts.category.get('memory'), filtered.unchecked.length]
    }
    expect(shown('memory-lane')).toEqual([1, 1, 0])
    expect(shown('memory-l')).toEqual([1, 1, 0])
    expect(shown('memory')).toEqual([2, 2, 1])
  })

  describe('several words', () => {
    const many = [
      aListing('m/store', { summary: 'Lets you remember notes across sessions', stars: 1 }),
      aListing('m/lantern', { summary: 'Remembers what you told the agent', stars: 5 }),
      aListing('m/recall', { summary: 'The agent can remember facts', stars: 9 }),
      aListing('m/tabs', { summary: 'Opens sessions in tabs', stars: 90 }),
      aListing('m/other', { summary: 'Counts tokens', stars: 900 }),
    ]

    test('several words are followed by the plugins with the rarest of them, and each of these tells which it has', () => {
      const { ids, found, hasEveryWord } = findIn(many, 'remember things across sessions')
      expect(ids).toEqual(['m/store', 'm/tabs', 'm/recall', 'm/lantern'])
      expect(hasEveryWord).toBe(true)
      expect(Object.fromEntries(found)).toEqual({
        'm/tabs': ['sessions'],
        'm/recall': ['remember'],
        'm/lantern': ['remember'],
      })
    })

    test('several words find the plugins with some of them when the only one with all is hidden by a filter', () => {
      const failed = many.map((row) => (row.id === 'm/store' ? { ...row, verdict: 'failed' as const } : row))
      const { ids, hasEveryWord } = findIn(failed, 'remember things across sessions')
      expect(ids).toEqual(['m/tabs', 'm/recall', 'm/lantern'])
      expect(hasEveryWord).toBe(false)
    })

    test('several words are not filled up when enough plugins have them all', () => {
      const enough = Array.from({ length: 20 }, (_, n) => aListing(`n/${n}`, { summary: 'Remembers sessions' }))
      expect(findIn([...many, ...enough], 'remember sessions').ids).toHaveLength(21)
    })
  })

  describe('a typing error', () => {
    const tools = [
      aListing('t/unit-shelf', { summary: null }),
      aListing('t/clock', { summary: 'Tells the time' }),
      aListing('t/one', { summary: 'Useful tools' }),
      aListing('t/two', { summary: 'A tool for today' }),
    ]

    test.each([
      ['unit-shlf', 't/unit-shelf'],
      ['clokc', 't/clock'],
      ['unti-shelf', 't/unit-shelf'],
      ['unti-shlef', 't/unit-shelf'],
      ['unti shlf', 't/unit-shelf'],
    ])('is corrected in a name, also in one of its parts: %s', (typed, id) => {
      expect(findIn(tools, typed)).toMatchObject({ ids: [id], offered: null })
    })

    test('is not guessed beside words that are found', () => {
      const meters = [
        aListing('t/meter', { summary: 'Shows tokens and money' }),
        aListing('t/all', { summary: 'several safe ones' }),
      ]
      expect(findIn(meters, 'save tokens money')).toMatchObject({ ids: ['t/meter'], offered: null, meant: null })
      expect(findIn(meters, 'tokns money')).toMatchObject({ ids: ['t/meter'], meant: 'tokens money' })
    })

    test('is only offered when several words are near, and what is near is not listed', () => {
      const near = [aListing('t/lamp', { summary: 'A light' }), aListing('t/owl', { summary: 'By night' })]
      expect(findIn(near, 'bight')).toMatchObject({ ids: [], meant: null, missing: ['bight'] })
      expect(findIn(near, 'bight').offered).toMatch(/^(light|night)$/)
    })

    test.each(['todo', 'jira'])('is not guessed from the beginning of a word: %s', (typed) => {
      const all = [...tools, aListing('t/jiaodui', { summary: null })]
      expect(findIn(all, typed)).toMatchObject({ ids: [], meant: null, offered: null })
    })
  })
})
