import { type IndexListing, repositoryKey } from '../contract/index.ts'
import { inSlices } from './slices.ts'

/**
 * The copy is cut into this many texts by repository, so that a look-up reads a few of them and decodes only the
 * rows it was asked for. 512 is what measured best from 3,000 to 200,000 rows. A reader must agree with the writer on
 * where a row is: another number needs another SCHEMA.
 */
export const BUCKETS = 512

/** Every bucket, for a reader of the whole copy. */
export const allBuckets = (): number[] => Array.from({ length: BUCKETS }, (_, bucket) => bucket)

/** The bucket of a repository key: FNV-1a with a final mix, because short names differ in few bits. */
export function bucketOf(key: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return ((hash ^ (hash >>> 13)) >>> 0) % BUCKETS
}

type Row = [position: number, ...columns: [string, string | null, string | null, string | null, string | null]]

/**
 * The texts of a catalogue, one a bucket. A text is its length from the first newline on, a newline, then one line
 * a listing: its repository key, a tab, its row as JSON, a newline. Neither a key (no white space in a name) nor JSON
 * has a raw tab or newline.
 */
export async function packBuckets(listings: readonly IndexListing[]): Promise<string[]> {
  const lines: string[][] = allBuckets().map(() => [''])
  await inSlices(listings, ({ fullName, category, install, path, npm }, position) => {
    const key = repositoryKey(fullName)
    const row: Row = [position, fullName, category, install, path, npm]
    lines[bucketOf(key)]!.push(`${key}\t${JSON.stringify(row)}`)
  })
  return lines.map((bucket) => {
    const body = `${bucket.join('\n')}\n`
    return `${body.length}${body}`
  })
}

/** Whether a stored value is a bucket: a text of the length it says. */
export function isBucket(value: unknown): value is string {
  if (typeof value !== 'string') return false
  const start = value.indexOf('\n')
  return value.length - start === Number(value.slice(0, start))
}

/** Listings of one repository, in the order of the document. @throws {SyntaxError} when the text is damaged */
export function listingsOf(text: string, key: string): IndexListing[] {
  const found: IndexListing[] = []
  const needle = `\n${key}\t`
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) {
    const listing = toListing(rowAt(text, at + needle.length))
    // A key with line breaks of its own could match across lines.
    if (repositoryKey(listing.fullName) === key) found.push(listing)
  }
  return found
}

/** Listings under one registry name. @throws {SyntaxError} when a text is damaged */
export function listingsOfPackage(texts: Iterable<string>, name: string): IndexListing[] {
  const quoted = JSON.stringify(name)
  const rows: Row[] = []
  for (const text of texts) {
    let at = text.indexOf(quoted)
    while (at >= 0) {
      const row = rowAt(text, text.indexOf('\t', text.lastIndexOf('\n', at)) + 1)
      if (row[5] === name) rows.push(row)
      at = text.indexOf(quoted, text.indexOf('\n', at))
    }
  }
  return inOrder(rows)
}

/**
 * All repositories of a bucket with their listings, in the order of the document.
 *
 * @throws {SyntaxError} when the text is damaged
 */
export function repositoriesOf(text: string): Map<string, IndexListing[]> {
  const found = new Map<string, IndexListing[]>()
  for (const listing of allListings([text])) {
    const key = repositoryKey(listing.fullName)
    const known = found.get(key)
    if (known) known.push(listing)
    else found.set(key, [listing])
  }
  return found
}

/** Every listing, in the order of the document. @throws {SyntaxError} when a text is damaged */
export function allListings(texts: Iterable<string>): IndexListing[] {
  const rows: Row[] = []
  for (const text of texts) {
    const [, ...lines] = text.trimEnd().split('\n')
    for (const line of lines) rows.push(JSON.parse(line.slice(line.indexOf('\t') + 1)))
  }
  return inOrder(rows)
}

const rowAt = (text: string, start: number): Row => JSON.parse(text.slice(start, text.indexOf('\n', start)))

const inOrder = (rows: Row[]): IndexListing[] => rows.sort((a, b) => a[0] - b[0]).map(toListing)

function toListing([, fullName, category, install, path, npm]: Row): IndexListing {
  return { fullName, category, install, path, npm }
}
