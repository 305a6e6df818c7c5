import * as v from 'valibot'
import type { IndexListing } from '../../contract/index.ts'
import { BUCKETS, BucketSchema } from '../buckets.ts'
import { bucketKey } from '../records.ts'
import { type Edition, MARKER } from './documents.ts'

type Editions = ReadonlyMap<string, Edition>

/** The edition that is stored as a whole; null when there is none, or something else. Knows how a copy is written. */
export function storedEdition(values: ReadonlyMap<string, unknown>, editions: Editions): Edition | null {
  const record = values.get('index') as { generated: string } | undefined
  const listings: IndexListing[] = []
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    const stored = values.get(bucketKey(bucket))
    if (!v.is(BucketSchema, stored)) return null
    listings.push(...Object.values(stored).flat())
  }
  const of = editionOf(listings, editions)
  return of !== null &&
    sameJson([...of.listings].sort(byName), listings.sort(byName)) &&
    record?.generated === of.generated
    ? of
    : null
}

/** The edition these listings are of, as its marker says. */
export function editionOf(listings: readonly IndexListing[], editions: Editions): Edition | null {
  const path = listings.find(({ fullName }) => fullName === MARKER)?.path
  return editions.get(path ?? '') ?? null
}

export const sameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

const byName = (a: IndexListing, b: IndexListing): number => (a.fullName < b.fullName ? -1 : 1)
