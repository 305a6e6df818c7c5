/** The invented catalogue of the demo and the tests, and generated listings for more. */
import { listingKey } from '@plugmark/shared/contract'
import { type Catalogue, createListing, type Listing } from '../catalogue/catalogue.ts'
import { parseCatalogue } from '../catalogue/parse.ts'
import { generate } from './generate.ts'
import invented from './invented.json' with { type: 'json' }
import type { MockRow } from './mock-row.ts'

/** A listing with what only the live service says of it. */
export interface MockListing extends Listing {
  readonly liveRiskFlags: readonly string[]
}

/** The invented listings, most stars first. */
export const INVENTED_ROWS: readonly MockRow[] = invented.results

/** Invented repositories that a directory does not list: no plugins, too young, or without a description. */
export const UNLISTED_REPOSITORIES = invented.unlisted

export interface CatalogueOptions {
  readonly rows: readonly MockRow[]
  /** @default now */
  readonly generated?: string
  /** Origin of the listings' pages. @default the origin of the request */
  readonly site?: string
}

/** Creates a catalogue from rows, as the directory reads them. @throws Error that names the rows that break the contract */
export function createCatalogue({ rows, generated, site }: CatalogueOptions): Catalogue {
  const { rejected, listings, successRate } = parseCatalogue([{ results: rows }])
  if (rejected.length > 0) throw new Error(rejected.join('\n'))
  const byKey = new Map(rows.map((row) => [listingKey(row.fullName), row]))
  return {
    generated: generated ?? new Date().toISOString(),
    site: site ?? null,
    listings: listings.map(({ record, path }): MockListing => {
      const { description = null, liveRiskFlags = [] } = byKey.get(listingKey(record.fullName))!
      return { ...createListing(record, { path, description }), liveRiskFlags }
    }),
    successRate,
  }
}

/** Returns the invented catalogue. @param options.size listings; the missing ones are generated */
export function embeddedCatalogue({
  size = 0,
  ...options
}: Omit<CatalogueOptions, 'rows'> & { readonly size?: number } = {}): Catalogue {
  return createCatalogue({
    rows: [...INVENTED_ROWS, ...generate(Math.max(0, size - INVENTED_ROWS.length))],
    ...options,
  })
}
