import * as v from 'valibot'
import { chunked } from '../async/index.ts'
import {
  INDEX_FIELDS,
  IndexDocumentSchema,
  type IndexListing,
  IndexListingSchema,
  listingKey,
} from '../contract/index.ts'

/** An index document, its rows read by column name. */
export interface DecodedIndex {
  readonly generated: string
  /** Base address of the listings' pages, without a trailing slash. */
  readonly site: string
  /** Number of rows that the document announces. */
  readonly announced: number
  /** Number of rows that it has. */
  readonly received: number
  /** Columns of the contract that the document lacks. */
  readonly missingFields: readonly string[]
  /** The rows that parsed, in the order of the document: one for each listing key. */
  readonly listings: readonly IndexListing[]
}

/** Returns the number of rows that did not parse, or repeat a name. */
export const rejectedRows = (index: DecodedIndex): number => index.received - index.listings.length

/**
 * Reads an index document. Drops rows that do not parse, and repeated rows of a listing, perhaps with another spelling
 * of owner or repository. A missing column is null in every row.
 *
 * @throws {Error} when `document` is not an index document, with the reason for a person
 */
export async function decodeIndex(document: unknown): Promise<DecodedIndex> {
  const parsed = v.safeParse(IndexDocumentSchema, document)
  if (!parsed.success) {
    const issue = parsed.issues[0]
    throw new Error(
      `Not an index document: ${v.getDotPath(issue) ?? 'document'}: ${issue.message}. Check the API address.`,
    )
  }
  const { generated, site, count, fields, plugins } = parsed.output
  return {
    generated,
    site: pageAddress(site),
    announced: count,
    received: plugins.length,
    missingFields: INDEX_FIELDS.filter((name) => !fields.includes(name)),
    listings: await decodeRows(fields, plugins),
  }
}

function pageAddress(site: string): string {
  try {
    // URL.canParse would be simpler, but Safari has it only since version 17.
    const { origin, pathname } = new URL(site)
    return origin + pathname.replace(/\/+$/, '')
  } catch {
    throw new Error('Not an index document: site: not an address')
  }
}

async function decodeRows(fields: readonly string[], rows: readonly unknown[]): Promise<IndexListing[]> {
  const columns = Object.keys(IndexListingSchema.entries).map((name) => [name, fields.indexOf(name)] as const)
  const listings = new Map<string, IndexListing>()
  await chunked(rows, (row) => {
    if (!Array.isArray(row)) return
    const candidate: Record<string, unknown> = {}
    for (const [name, at] of columns) candidate[name] = at < 0 ? null : row[at]
    if (!v.is(IndexListingSchema, candidate)) return
    const key = listingKey(candidate.fullName)
    if (!listings.has(key)) listings.set(key, candidate)
  })
  return [...listings.values()]
}
