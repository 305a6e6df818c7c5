import { describe, expect, test } from 'vitest'
import { aListing } from '../view/testing.ts'
import { entryOf } from './entry.ts'
import { search } from './search.ts'
import { termsOf } from './terms.ts'

const entries = [
  aListing('Owner/harbor-notes', { summary: 'Keeps notes on disk', summaryZh: '在磁盘上保存笔记' }),
  aListing('brass/workshop#packages/kite', { npmPackage: 'paper-kite', summary: 'Flies', summaryZh: null }),
  aListing('a/memory-lane', { summary: 'Remembers sessions', summaryZh: '搜索和恢复过去的会话' }),
  aListing('a/café', { summary: 'A résumé of what was said', summaryZh: '会话摘要' }),
].map(entryOf)
const found = (...words: string[]) => search(entries, termsOf(words)).entries.map(({ listing }) => listing.id)

test.each([...'abcdefghijklmnopqrstuvwxyz', 'ie', 'ei', 's', 'ed', 'ing', 'es', '-'])(
  'answers while %s is all that is typed yet',
  (typed) => {
    expect(found(typed).length).toBeLessThanOrEqual(entries.length)
  },
)

describe('search', () => {
  test.each<[string, string[]]>([
    ['harbor', ['Owner/harbor-notes']],
    ['NOTES', ['Owner/harbor-notes']],
    ['ｎｏｔｅｓ', ['Owner/harbor-notes']],
    ['owner/harbor', ['Owner/harbor-notes']],
    ['paper-kite', ['brass/workshop#packages/kite']],
    ['resume', ['a/café']],
    ['cafe', ['a/café']],
    ['笔记', ['Owner/harbor-notes']],
    ['会话', ['a/memory-lane', 'a/café']],
    ['搜索会话', ['a/memory-lane', 'a/café']],
  ])('finds by %s', (word, expected) => {
    expect(found(word)).toEqual(expected)
  })

  test('finds by every word, in any order and either language', () => {
    expect(found('disk', 'harbor')).toEqual(['Owner/harbor-notes'])
    expect(found('work', 'shop')).toEqual(['brass/workshop#packages/kite'])
    expect(found('笔记', 'harbor')).toEqual(['Owner/harbor-notes'])
  })

  test.each(['memroy', 'memry', 'memmory', 'memury'])('finds the plugin for memory by %s', (word) => {
    expect(found(word)).toEqual(['a/memory-lane'])
  })

  test.each([
    ['memroy', 'memory'],
    ['harbornotes', 'harbor-notes'],
    ['harbour-notse', 'harbor notes'],
    ['harbor-notse', 'harbor-notes'],
    ['mem-ory', 'memory'],
    ['papirkite', 'papirkite'],
  ])('corrects %s to %s', (typed, meant) => {
    expect(search(entries, termsOf(typed.split(' '))).corrected?.join(' ') ?? typed).toBe(meant)
  })

  test.each([
    ['memory', ['a/lantern', 'b/recall']],
    ['记忆', ['a/lantern', 'b/recall']],
    ['notifications', ['a/bell']],
    ['通知', ['a/bell']],
    ['credentials', ['a/bell']],
    ['终端', ['a/lantern']],
    ['@scope/named', ['c/dir#packages/x']],
    ['owner-of-it', ['owner-of-it/thing']],
  ])('finds by labels of category and risks, package and owner: %s', (word, ids) => {
    const labelled = [
      aListing('a/lantern', { category: 'memory', riskFlags: ['terminal surface'] }),
      aListing('b/recall', { category: 'memory', summaryZh: '以前说过的话' }),
      aListing('a/bell', { category: 'notify', riskFlags: ['requires credentials'] }),
      aListing('c/dir#packages/x', { npmPackage: '@scope/named' }),
      aListing('owner-of-it/thing', { summary: null }),
    ].map(entryOf)
    expect(search(labelled, termsOf([word])).entries.map(({ listing }) => listing.id)).toEqual(ids)
  })

  test('corrects no word that a listing has, however rare it is', () => {
    const near = [
      aListing('a/todo', { summary: null }),
      ...Array.from({ length: 9 }, (_, n) => aListing(`a/tool-${n}`, { summary: 'Needs too many tools too' })),
    ].map(entryOf)
    const found = search(near, ['todo'])
    const ids = (some: Iterable<(typeof near)[number]>) => [...some].map(({ listing }) => listing.id)
    expect([ids(found.entries), found.corrected, found.offered, ids(found.named)]).toEqual([
      ['a/todo'],
      null,
      null,
      ['a/todo'],
    ])
  })

  test('corrects to whole words only, and never to a stop word', () => {
    const few = [aListing('a/one', { summary: 'Something about every thing' })].map(entryOf)
    expect(search(few, ['abuot'])).toMatchObject({ entries: [], corrected: null })
    expect(search(few, ['everi'])).toMatchObject({ entries: [], corrected: null })
  })

  test.each(['mmry', 'kit3', '笔纪'])('finds nothing by %s', (word) => {
    expect(found(word)).toEqual([])
  })

  test('returns all entries in the given order without words', () => {
    expect(found()).toEqual(entries.map(({ listing }) => listing.id))
  })
})

test('ranks matches: the name, word of the name, part of the name, owner, word of a summary, part of a word', () => {
  const ordered = [
    aListing('x/part', { summary: 'Likites' }),
    aListing('x/word', { summary: 'A kite' }),
    aListing('kites/owner'),
    aListing('x/mykite'),
    aListing('x/my-kite'),
    aListing('x/kite'),
    aListing('x/kiteboard'),
  ].map(entryOf)
  expect(search(ordered, termsOf(['kite'])).entries.map(({ listing }) => listing.id)).toEqual([
    'x/kite',
    'x/my-kite',
    'x/kiteboard',
    'x/mykite',
    'kites/owner',
    'x/word',
    'x/part',
  ])
})

test('ranks a category with a short name before names that only start with it', () => {
  const rows = [aListing('x/function-calls'), aListing('x/dice', { category: 'fun' }), aListing('x/fun-facts')].map(
    entryOf,
  )
  expect(search(rows, ['fun']).entries.map(({ listing }) => listing.id)).toEqual([
    'x/fun-facts',
    'x/dice',
    'x/function-calls',
  ])
})

test('finds a compound that a summary has in several words', () => {
  const rows = [aListing('x/split', { summary: 'Two side by side' }), aListing('x/copy', { summary: 'Backs up.' })].map(
    entryOf,
  )
  const found = (word: string) => search(rows, [word]).entries.map(({ listing }) => listing.id)
  expect([found('side-by-side'), found('backup')]).toEqual([['x/split'], ['x/copy']])
})

test('finds what means the same as a whole word only: an end is not in what sends', () => {
  const rows = [aListing('x/sends', { summary: 'Sends it' }), aListing('x/ends', { summary: 'When it ends' })].map(
    entryOf,
  )
  expect(search(rows, ['done']).entries.map(({ listing }) => listing.id)).toEqual(['x/ends'])
})

describe('a search without a plugin that has all words', () => {
  const rows = [
    aListing('a/model-switcher', { summary: 'Lets the agent switch models', stars: 9000 }),
    aListing('a/push', { summary: 'Sends a message to Telegram', stars: 3 }),
    aListing('a/recall', { summary: 'Remembers facts and recalls the last session', stars: 5 }),
    ...Array.from({ length: 40 }, (_, n) =>
      aListing(`b/agent-tool-${n}`, { summary: 'Notify the agent in the editor' }),
    ),
  ].map(entryOf)
  const ask = (sentence: string) => {
    const { entries, partial, missing } = search(rows, termsOf(sentence.split(' ')))
    return { ids: entries.map(({ listing }) => listing.id), isPartial: partial.size > 0, missing }
  }

  test('finds plugins with the rarest of them, and reports the word that no plugin has', () => {
    expect(ask('notify telegram')).toEqual({ ids: ['a/push'], isPartial: true, missing: [] })
    expect(ask('telegram xylophone')).toEqual({ ids: ['a/push'], isPartial: true, missing: ['xylophone'] })
  })

  test('finds by the meaningful words of a sentence, not by its stop words', () => {
    expect(ask('I want the agent to remember things across sessions').ids[0]).toBe('a/recall')
    expect(ask('I want the agent to remember things across sessions').ids.length).toBeLessThan(5)
    expect(ask('Telegram when it is there')).toMatchObject({ ids: ['a/push'], isPartial: false })
  })

  test('takes the word as rarer that fewer plugins are for, whatever their details say', () => {
    const all = ['Runs jobs', 'Runs at night', 'A failing test', 'Flies. It was tested'].map((summary, n) =>
      entryOf(aListing(`c/${n}`, { summary })),
    )
    expect(search(all, ['run', 'tests']).entries[0]?.listing.id).toBe('c/2')
  })

  test('finds nothing when no plugin has any of the words', () => {
    expect(ask('xylophone quartz')).toEqual({ ids: [], isPartial: false, missing: ['xylophone', 'quartz'] })
  })
})
