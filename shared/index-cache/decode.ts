import * as v from 'valibot'
import { chunked } from '../async/index.ts'
import {
  INDEX_EXPIRED_MS,
  INDEX_FIELDS,
  IndexDocumentSchema,
  type IndexListing,
  IndexListingSchema,
  listingKey,
} from '../contract/index.ts'
import { CLOCK_SKEW_MS, freshnessOf, type IndexState } from './refresh-state.ts'

/** An index document, its rows read by column name. */
export interface DecodedIndex {
  readonly generated: string
  /** Base address of the listings' pages, without a trailing slash. */
  readonly site: string
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
 * @throws {Error} when `document` is not an index document, with the reason in plain words
 */
export async function decodeIndex(document: unknown): Promise<DecodedIndex> {
  const parsed = v.safeParse(IndexDocumentSchema, document)
  if (!parsed.success) {
    const issue = parsed.issues[0]
    throw new Error(
      `Not an index document: ${v.getDotPath(issue) ?? 'document'}: ${issue.message}. Check the directory address.`,
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

/**
 * Decides how to treat an index that was fetched:
 * - `replace` the stored index
 * - `confirm` that the stored index is the newest: servers behind a cache may send an older one
 * - `differs`: it is of another site, so only the user may let it replace the stored one
 *
 * @param state the stored state at the time of writing
 * @throws {Error} when the document must not be stored, with the reason in plain words
 */
export function validateUpdate(
  update: DecodedIndex,
  state: IndexState,
  now: number,
): 'replace' | 'confirm' | 'differs' {
  const { generated, site, announced, received, missingFields } = update
  const rejected = rejectedRows(update)
  if (received === 0) throw new Error('The index is empty.')
  if (announced > received) throw new Error(`The index is incomplete: ${received} of ${announced} rows.`)
  if (rejected * 2 > received) throw new Error(`${rejected} of ${received} rows of the index cannot be read.`)
  // Negated, so that an invalid date (NaN) is refused too.
  if (!(Date.parse(generated) <= now + INDEX_EXPIRED_MS))
    throw new Error(`The index is dated ${generated}, far in the future. Is the clock of this machine right?`)

  const { index } = state
  if (index === null) return 'replace'
  if (missingFields.length > 0) throw new Error(`The index lacks the columns ${missingFields.join(', ')}.`)
  if (site !== index.site) {
    const isExpired = freshnessOf(state, now) === 'expired'
    return isExpired && generated >= index.generated ? 'replace' : 'differs'
  }
  // A stored date in the future would make every later index look older.
  const isStoredDateWrong = Date.parse(index.generated) > now + CLOCK_SKEW_MS
  return generated > index.generated || (isStoredDateWrong && generated < index.generated) ? 'replace' : 'confirm'
}
