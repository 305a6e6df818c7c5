import { describe, expect, test } from 'vitest'
import { aListing } from '../testing.ts'
import { matches, searchText } from './filter.ts'

const categoryOf = ({ category }: { category: string | null }) => category ?? 'other'
const finds = (
  text: string,
  listing = aListing('Owner/Harbor-Notes', { summary: 'Keeps notes', summaryZh: '记笔记' }),
) => matches({ text, category: null }, categoryOf)(listing, searchText(listing))

describe('filter', () => {
  test.each(['', 'harbor', 'NOTES keeps', 'owner/harbor', '笔记', 'ｎｏｔｅｓ', '  notes  '])(
    'finds by "%s"',
    (text) => {
      expect(finds(text)).toBe(true)
    },
  )

  test.each(['harbor kite', 'noted', '风筝'])('does not find by "%s"', (text) => {
    expect(finds(text)).toBe(false)
  })

  test('a category is exact, and those without one are "other"', () => {
    const inCategory = (category: string, listing: ReturnType<typeof aListing>) =>
      matches({ text: '', category }, categoryOf)(listing, searchText(listing))
    expect(inCategory('memory', aListing('a/b', { category: 'memory' }))).toBe(true)
    expect(inCategory('memory', aListing('a/b', { category: 'tools' }))).toBe(false)
    expect(inCategory('other', aListing('a/b', { category: null }))).toBe(true)
  })
})
