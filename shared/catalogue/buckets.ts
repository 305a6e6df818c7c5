import * as v from 'valibot'
import { type IndexListing, IndexListingSchema, repositoryKey } from '../contract/index.ts'
import { chunked } from './chunked.ts'

/**
 * The index is stored in this many buckets by repository, so that a look-up reads a few of them. Another number needs
 * another SCHEMA: a reader must agree with the writer on where a repository is.
 */
export const BUCKETS = 512

/** Listings by folded `owner/repo`, those of one repository in the order of the document. */
export const BucketSchema = v.record(v.string(), v.array(IndexListingSchema))
export type Bucket = Readonly<Record<string, readonly IndexListing[]>>

/** The bucket of a folded `owner/repo`: FNV-1a with a final mix, because short names differ in few bits. */
export function bucketOf(repository: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < repository.length; i++) hash = Math.imul(hash ^ repository.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return ((hash ^ (hash >>> 13)) >>> 0) % BUCKETS
}

export async function toBuckets(listings: readonly IndexListing[]): Promise<Bucket[]> {
  const buckets = Array.from({ length: BUCKETS }, (): Record<string, IndexListing[]> => ({}))
  await chunked(listings, (listing) => {
    const repository = repositoryKey(listing.fullName)
    const bucket = buckets[bucketOf(repository)]!
    // Every full name has a slash, so no repository is called like a property of objects.
    bucket[repository] ??= []
    bucket[repository].push(listing)
  })
  return buckets
}
