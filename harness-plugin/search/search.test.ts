import { describe, expect, test } from 'vitest'
import { aListing } from '../view/testing.ts'
import { createFacetCodes, entryOf } from './entry.ts'
import { termsOf } from './fold.ts'
import { search } from './search.ts'

const entry = (listing: ReturnType<typeof aListing>) => entryOf(listing, createFacetCodes())
const entries = [
  aListing('Owner/harbor-notes', { summary: 'Keeps notes on disk', summaryZh: '在磁盘上保存笔记' }),
  aListing('brass/workshop#packages/kite', { npmPackage: 'paper-kite', summary: 'Flies', summaryZh: null }),
  aListing('a/memory-lane', { summary: 'Remembers sessions', summaryZh: '搜索和恢复过去的会话' }),
  aListing('a/café', { summary: 'A résumé of what was said', summaryZh: '会话摘要' }),
].map(entry)
const found = (...words: string[]) => search(entries, termsOf(words)).map(({ listing }) => listing.id)

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
    expect(found('笔记', 'harbor')).toEqual(['Owner/harbor-notes'])
    expect(found('harbor', 'kite')).toEqual([])
  })

  test.each(['memroy', 'memry', 'memmory', 'memury'])('%s, as memory was meant', (word) => {
    expect(found(word)).toEqual(['a/memory-lane'])
  })

  test.each(['mmry', 'kit3', '笔纪'])('nothing by %s', (word) => {
    expect(found(word)).toEqual([])
  })

  test('all of them, as they are, without words', () => {
    expect(found()).toEqual(entries.map(({ listing }) => listing.id))
  })
})

test('the best match comes first: name, owner or package, start of a word, part of one, nearly', () => {
  const ordered = [
    aListing('x/nearly', { summary: 'On a ktie' }),
    aListing('x/part', { summary: 'Likites' }),
    aListing('x/word', { summary: 'A kite' }),
    aListing('kites/owner'),
    aListing('x/mykite'),
    aListing('x/my-kite'),
    aListing('x/kite'),
  ].map(entry)
  expect(search(ordered, termsOf(['kite'])).map(({ listing }) => listing.id)).toEqual([
    'x/my-kite',
    'x/kite',
    'x/mykite',
    'kites/owner',
    'x/word',
    'x/part',
    'x/nearly',
  ])
})
