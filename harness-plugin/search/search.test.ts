import { describe, expect, test } from 'vitest'
import { aListing } from '../view/testing.ts'
import { entryOf } from './entry.ts'
import { createFacetIndex } from './facet-index.ts'
import { termsOf } from './fold.ts'
import { search } from './search.ts'

const entry = (listing: ReturnType<typeof aListing>) => entryOf(listing, createFacetIndex())
const entries = [
  aListing('Owner/harbor-notes', { summary: 'Keeps notes on disk', summaryZh: '在磁盘上保存笔记' }),
  aListing('brass/workshop#packages/kite', { npmPackage: 'paper-kite', summary: 'Flies', summaryZh: null }),
  aListing('a/memory-lane', { summary: 'Remembers sessions', summaryZh: '搜索和恢复过去的会话' }),
  aListing('a/café', { summary: 'A résumé of what was said', summaryZh: '会话摘要' }),
].map(entry)
const found = (...words: string[]) => search(entries, termsOf(words)).entries.map(({ listing }) => listing.id)

describe('finds', () => {
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
    ['搜索会话', ['a/memory-lane']],
  ])('by %s', (word, expected) => {
    expect(found(word)).toEqual(expected)
  })

  test('by every word, in any order and either language', () => {
    expect(found('disk', 'harbor')).toEqual(['Owner/harbor-notes'])
    expect(found('work', 'shop')).toEqual(['brass/workshop#packages/kite'])
    expect(found('笔记', 'harbor')).toEqual(['Owner/harbor-notes'])
    expect(found('harbor', 'kite')).toEqual([])
  })

  test.each(['memroy', 'memry', 'memmory', 'memury'])('%s, as memory was meant', (word) => {
    expect(found(word)).toEqual(['a/memory-lane'])
  })

  test.each([
    ['memroy', 'memory'],
    ['harbornotes', 'harbor notes'],
    ['harbour-notse', 'harbour-notse'],
    ['mem-ory', 'memory'],
    ['papirkite', 'papirkite'],
  ])('%s tells what was meant: %s', (typed, meant) => {
    expect(search(entries, termsOf(typed.split(' '))).meant?.join(' ') ?? typed).toBe(meant)
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
  ])('by labels of category and risks, package and owner: %s', (word, ids) => {
    const labelled = [
      aListing('a/lantern', { category: 'memory', riskFlags: ['terminal surface'] }),
      aListing('b/recall', { category: 'memory', summaryZh: '以前说过的话' }),
      aListing('a/bell', { category: 'notify', riskFlags: ['requires credentials'] }),
      aListing('c/dir#packages/x', { npmPackage: '@scope/named' }),
      aListing('owner-of-it/thing', { summary: null }),
    ].map(entry)
    expect(search(labelled, termsOf([word])).entries.map(({ listing }) => listing.id)).toEqual(ids)
  })

  test('a word that is here is meant as it stands', () => {
    const near = [
      aListing('a/kite', { summary: null }),
      ...Array.from({ length: 9 }, (_, n) => aListing(`a/site-${n}`)),
    ].map(entry)
    const { entries, meant, named } = search(near, ['kite'])
    expect([entries.map(({ listing }) => listing.id), meant, [...named]]).toEqual([['a/kite'], null, ['a/kite']])
  })

  test.each(['mmry', 'kit3', '笔纪'])('nothing by %s', (word) => {
    expect(found(word)).toEqual([])
  })

  test('all of them, as they are, without words', () => {
    expect(found()).toEqual(entries.map(({ listing }) => listing.id))
  })
})

test('the best match comes first: name, owner or package, start of a word, part of one', () => {
  const ordered = [
    aListing('x/part', { summary: 'Likites' }),
    aListing('x/word', { summary: 'A kite' }),
    aListing('kites/owner'),
    aListing('x/mykite'),
    aListing('x/my-kite'),
    aListing('x/kite'),
    aListing('x/kiteboard'),
  ].map(entry)
  expect(search(ordered, termsOf(['kite'])).entries.map(({ listing }) => listing.id)).toEqual([
    'x/my-kite',
    'x/kite',
    'x/kiteboard',
    'x/mykite',
    'kites/owner',
    'x/word',
    'x/part',
  ])
})

test('a category is meant by a short word before names that only begin so', () => {
  const rows = [aListing('x/function-calls'), aListing('x/dice', { category: 'fun' }), aListing('x/fun-facts')].map(
    entry,
  )
  expect(search(rows, ['fun']).entries.map(({ listing }) => listing.id)).toEqual([
    'x/fun-facts',
    'x/dice',
    'x/function-calls',
  ])
})
