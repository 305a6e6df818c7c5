import type { IndexListing } from '../../contract/index.ts'
import { BUCKETS } from '../buckets.ts'
import { bucketKey } from '../records.ts'
import { type Edition, MARKER } from './documents.ts'

type Editions = ReadonlyMap<string, Edition>
type Row = [position: number, ...(string | null)[]]

/** The edition that is stored as a whole; null when there is none, or something else. Knows how a copy is written. */
export function storedEdition(values: ReadonlyMap<string, unknown>, editions: Editions): Edition | null {
  const record = values.get('copy') as { generated: string } | undefined
  const rows: Row[] = []
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    const text = values.get(bucketKey(bucket))
    if (typeof text !== 'string') return null
    for (const line of text.split('\n').slice(1, -1)) {
      try {
        rows.push(JSON.parse(line.split('\t')[1]!))
      } catch {
        return null
      }
    }
  }
  const listings = rows
    .sort((a, b) => a[0] - b[0])
    .map(([, fullName, category, install, path, npm]) => ({ fullName, category, install, path, npm }) as IndexListing)
  const of = editionOf(listings, editions)
  return of !== null && sameJson(of.listings, listings) && record?.generated === of.generated ? of : null
}

/** The edition these listings are of, as its marker says. */
export function editionOf(listings: readonly IndexListing[], editions: Editions): Edition | null {
  const path = listings.find(({ fullName }) => fullName === MARKER)?.path
  return editions.get(path ?? '') ?? null
}

export const sameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
