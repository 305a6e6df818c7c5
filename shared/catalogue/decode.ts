import * as v from 'valibot'
import { IndexDocumentSchema, type IndexListing, IndexListingSchema } from '../contract/index.ts'
import { chunked } from './chunked.ts'

/** An index document, its rows read by column name. */
export interface DecodedIndex {
  readonly generated: string
  /** Origin of the listings' pages. */
  readonly site: string
  /** Rows the document says it has. */
  readonly announced: number
  /** Rows it has. */
  readonly received: number
  /** The rows that parsed, in the order of the document. */
  readonly listings: readonly IndexListing[]
}

/** Rows that did not parse. */
export const rejectedRows = (index: DecodedIndex): number => index.received - index.listings.length

/**
 * Reads an index document. A row that does not parse is left out; a column that is absent is null in every row.
 *
 * @throws {Error} when the document itself is none, with what is wrong for a person
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
    site: originOf(site),
    announced: count,
    received: plugins.length,
    listings: await decodeRows(fields, plugins),
  }
}

function originOf(site: string): string {
  try {
    // Not URL.canParse, which Safari has since 17.
    return new URL(site).origin
  } catch {
    throw new Error('Not an index document: site: not an address')
  }
}

async function decodeRows(fields: readonly string[], rows: readonly unknown[]): Promise<IndexListing[]> {
  const columns = Object.keys(IndexListingSchema.entries).map((name) => [name, fields.indexOf(name)] as const)
  const listings: IndexListing[] = []
  await chunked(rows, (row) => {
    if (!Array.isArray(row)) return
    const candidate: Record<string, unknown> = {}
    for (const [name, at] of columns) candidate[name] = at < 0 ? null : row[at]
    if (v.is(IndexListingSchema, candidate)) listings.push(candidate)
  })
  return listings
}
