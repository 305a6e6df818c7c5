import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type IndexListing, repositoryKey } from '../contract/index.ts'
import { allListings, BUCKETS, bucketOf, isBucket, listingsOf, listingsOfPackage, packBuckets } from './buckets.ts'

const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('tools', '\n', '\t', 'a\nb/c\t["x"]', '"', '\\', '\ud800', '插件') },
  fc.string({ unit: 'binary', maxLength: 12 }),
)
const namePart = fc
  .oneof(fc.constantFrom('a', 'A', 'b', '__proto__', 'constructor', '"', '\\n', 'İ', '\ud800'), fc.string())
  .map((part) => part.replace(/[\s/#]/g, '') || '-')
const listing: fc.Arbitrary<IndexListing> = fc.record({
  fullName: fc
    .tuple(namePart, namePart, fc.option(namePart))
    .map(([owner, repo, sub]) => `${owner}/${repo}${sub === null ? '' : `#${sub}`}`),
  category: fc.option(text),
  install: fc.option(text),
  path: fc.option(text),
  npm: fc.option(text),
})
const catalogue = fc.array(listing, { maxLength: 60 })

const find = (texts: readonly string[], key: string) => listingsOf(texts[bucketOf(key)]!, key)

describe('packed and found again', () => {
  test('by repository, as a filter over the rows finds them', async () => {
    await fc.assert(
      fc.asyncProperty(catalogue, fc.array(namePart), async (listings, others) => {
        const texts = await packBuckets(listings)
        const keys = [...listings.map(({ fullName }) => repositoryKey(fullName)), ...others.map((name) => `${name}/a`)]
        for (const key of keys.map(repositoryKey)) {
          expect(find(texts, key)).toEqual(listings.filter(({ fullName }) => repositoryKey(fullName) === key))
        }
      }),
    )
  })

  test('by package', async () => {
    await fc.assert(
      fc.asyncProperty(catalogue, text, async (listings, other) => {
        const texts = await packBuckets(listings)
        for (const name of [other, ...listings.flatMap(({ npm }) => npm ?? [])]) {
          expect(listingsOfPackage(texts, name)).toEqual(listings.filter(({ npm }) => npm === name))
        }
      }),
    )
  })

  test('all, in the order they came', async () => {
    await fc.assert(
      fc.asyncProperty(catalogue, async (listings) => {
        expect(allListings(await packBuckets(listings))).toEqual(listings)
      }),
    )
  })

  test('a key with line breaks of its own finds nothing', async () => {
    const second = Array.from({ length: 10_000 }, (_, i) => `c/${i}`).find((key) => bucketOf(key) === bucketOf('a/b'))!
    const row = { category: null, install: null, path: null, npm: null }
    const texts = await packBuckets(['a/b', second].map((fullName) => ({ ...row, fullName })))
    const text = texts[bucketOf('a/b')]!
    const across = text.slice(text.indexOf('a/b'), text.lastIndexOf('\t'))
    expect(across).toMatch(/^a\/b\t.*\nc\/\d+$/)
    expect(listingsOf(text, across)).toEqual([])
  })
})

describe('a bucket', () => {
  test('is a text of the length it says', async () => {
    const texts = await packBuckets([{ fullName: 'a/b', category: null, install: null, path: null, npm: null }])
    expect(texts).toHaveLength(BUCKETS)
    expect(texts.every(isBucket)).toBe(true)
  })

  test.each([[undefined], [null], [7], [''], ['\n'], ['\na\tb\n'], [['\n']]])('is not %j', (value) => {
    expect(isBucket(value)).toBe(false)
  })

  test('is none once cut off, or with another behind it', async () => {
    const [packed] = (
      await packBuckets([{ fullName: 'a/b', category: null, install: null, path: null, npm: null }])
    ).filter((bucket) => bucket.includes('a/b'))
    expect(isBucket(packed!.slice(0, -1))).toBe(false)
    expect(isBucket(packed! + packed!)).toBe(false)
  })

  test('holds its share', () => {
    const sizes = new Array(BUCKETS).fill(0)
    for (let i = 0; i < 25_600; i++) sizes[bucketOf(`owner-${i % 900}/dsh-plugin-${i.toString(36)}`)]++
    expect(Math.max(...sizes)).toBeLessThan(200)
  })
})
