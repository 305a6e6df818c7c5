import { describe, expect, test } from 'vitest'
import { matches, searchText } from './filter.ts'
import { installedListings } from './installed.ts'
import { withLines } from './store.ts'
import { aJob, aListing } from './testing.ts'

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

describe('what is installed', () => {
  const profile = (dependencies: Record<string, string>, bundles = Object.keys(dependencies)) => ({
    name: 'web',
    bundles,
    dependencies,
  })
  const byPackage = aListing('owner/repo', { npmPackage: 'some-plugin' })
  const byRepository = aListing('Owner/Kite', { npmPackage: null })
  const installed = (...given: Parameters<typeof profile>) => [
    ...installedListings([byPackage, byRepository], profile(...given)),
  ]

  test('is a layer whose source is the listing', () => {
    expect(installed({ 'some-plugin': '^1.0.0' })).toEqual(['owner/repo'])
    expect(installed({ named: 'git+https://github.com/owner/kite.git' })).toEqual(['Owner/Kite'])
  })

  test('is not a mere dependency, nor a package of that name from elsewhere', () => {
    expect(installed({ 'some-plugin': '^1.0.0' }, [])).toEqual([])
    expect(installed({ 'some-plugin': 'git+https://git.example/private.git' })).toEqual([])
    expect(installed({ 'some-plugin': 'github:other/repo' })).toEqual([])
  })
})

describe('output', () => {
  const job = { ...aJob(), output: ['a', 'b'], dropped: 3 }
  test('continues where it ends, and lines that are here are not added twice', () => {
    expect(withLines(job, 5, ['c']).output).toEqual(['a', 'b', 'c'])
    expect(withLines(job, 4, ['b', 'c']).output).toEqual(['a', 'b', 'c'])
    expect(withLines(job, 3, ['a', 'b']).output).toEqual(['a', 'b'])
  })

  test('is bounded', () => {
    const long = withLines(
      job,
      5,
      Array.from({ length: 2500 }, (_, n) => `${n}`),
    )
    expect(long.output).toHaveLength(2000)
    expect(long.dropped).toBe(3 + 502)
    expect(long.output.at(-1)).toBe('2499')
  })
})
