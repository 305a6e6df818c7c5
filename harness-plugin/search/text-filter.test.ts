import { expect, test } from 'vitest'
import { aListing } from '../view/testing.ts'
import { entryOf } from './entry.ts'
import { createFacetIndex } from './facets.ts'
import { textFilter } from './find.ts'
import { search } from './search.ts'
import { termsOf } from './terms.ts'

const listings = [
  aListing('a/lantern', {
    summary: 'Keeps "notes" on disk (C++)',
    summaryZh: '在磁盘上，保存笔记',
    category: 'memory',
  }),
  aListing('a/cafe', { summary: 'Café für Ｎｏｔｅｓ', category: 'notify', riskFlags: ['install script'] }),
  aListing('big/repo#packages/kite', { npmPackage: '@a/paper-kite', summary: 'Über → ☂ 𝐍otes', category: 'later-id' }),
  aListing('b/plain', { summary: 'Sends e-mail… 🎉', summaryZh: 'ガラス', category: 'ui' }),
]
const WORDS = [
  ...['notes', 'NOTES', '"notes"', 'c++', 'disk', 'cafe', 'café', 'fur', 'uber', 'notify', 'notification', 'memory'],
  ...[
    '记忆',
    '通知',
    '笔记',
    '磁盘',
    '安装脚本',
    'script',
    'later-id',
    'paper-kite',
    '@a/paper-kite',
    'big/repo',
    'カラス',
  ],
  ...['packages/kite', 'e-mail', 'ui', '界面', 'sends mail', 'notes disk', 'nothing-has-this'],
]

test.each(WORDS)('passes every listing that a search finds by %s', (words) => {
  const index = createFacetIndex()
  const terms = termsOf([words])
  const passes = textFilter(terms)
  const found = search(
    listings.map((listing) => entryOf(listing, index)),
    terms,
  )
  const exact = found.corrected === null ? found.entries : []
  for (const { listing } of exact)
    expect(passes(JSON.stringify({ fullName: listing.id, ...listing })), listing.id).toBe(true)
})

test('passes no other listing, unless its letters may be folded', () => {
  const passing = (words: string) => {
    const passes = textFilter(termsOf([words]))
    return listings.filter((listing) => passes(JSON.stringify(listing))).map(({ id }) => id)
  }
  const folded = ['a/cafe', 'big/repo#packages/kite', 'b/plain']
  expect(passing('disk')).toEqual(['a/lantern', ...folded])
  expect(passing('nothing-has-this')).toEqual(folded)
})
