import { expect, test } from 'vitest'
import { BUCKETS, bucketOf, toBuckets } from './buckets.ts'

const listing = (fullName: string) => ({ fullName, category: null, install: null, path: null, npm: null })

test('each repository is in its bucket, with all its listings in their order', async () => {
  const names = ['A/b', 'a/B#one', '__proto__/x', 'constructor/constructor', 'a/b#two', 'İ/\ud800']
  const buckets = await toBuckets(names.map(listing))
  expect(buckets).toHaveLength(BUCKETS)
  expect(buckets[bucketOf('a/b')]!['a/b']).toEqual(['A/b', 'a/B#one', 'a/b#two'].map(listing))
  for (const name of names.slice(2, 4)) expect(buckets[bucketOf(name)]![name]).toEqual([listing(name)])
  expect(buckets.flatMap((bucket) => Object.values(bucket).flat())).toHaveLength(names.length)
})

test('buckets hold about as many repositories each', () => {
  const sizes = new Array(BUCKETS).fill(0)
  for (let i = 0; i < 50 * BUCKETS; i++) sizes[bucketOf(`owner-${i % 900}/dsh-plugin-${i.toString(36)}`)]++
  expect(Math.max(...sizes)).toBeLessThan(200)
})
