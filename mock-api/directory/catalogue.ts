import { INDEX_FIELDS, type IndexDocument, type PluginRecord, successRate } from '@plugmark/shared/contract'
import type { RepositoryFixture } from '../mock/catalogue/fixtures.ts'
import { type Listing, toListings } from './listings.ts'

/** All data that the mock serves. */
export interface Catalogue {
  /** Instant of the index, ISO 8601 in UTC with milliseconds. */
  readonly generated: string
  /** Origin of the listings' pages; null for the origin of the request. */
  readonly site: string | null
  /** By stars, descending; equals stay in the order of the source. */
  readonly listings: readonly Listing[]
  /** The published success rate, 0 to 1, over tested listings; null when none was tested. */
  readonly successRate: number | null
}

export interface CatalogueOptions {
  readonly repositories: readonly RepositoryFixture[]
  /** @default now */
  readonly generated?: string
  /** Origin of the listings' pages. @default the origin of the request */
  readonly site?: string
}

/** Derives a catalogue from fixtures. */
export function createCatalogue({ repositories, generated, site }: CatalogueOptions): Catalogue {
  return withSuccessRate({
    generated: generated ?? new Date().toISOString(),
    site: site ?? null,
    listings: toListings(repositories).sort((a, b) => b.record.stars - a.record.stars),
  })
}

export function withSuccessRate(catalogue: Omit<Catalogue, 'successRate'>): Catalogue {
  return { ...catalogue, successRate: successRate(catalogue.listings.map(({ verdict }) => verdict)) }
}

/** Returns the record as it is served at `site`; the `url` of a listing without a page is its repository. */
export function toRecord({ record, path }: Listing, site: string): PluginRecord {
  return { ...record, url: path === null ? record.repoUrl : site + path }
}

/** Returns the index document as it is served at `site`. */
export function toIndexDocument({ generated, listings }: Catalogue, site: string): IndexDocument {
  return {
    generated,
    count: listings.length,
    site,
    fields: [...INDEX_FIELDS],
    plugins: listings.map(({ record, path }) => [
      record.fullName,
      record.category,
      record.install,
      path,
      record.npmPackage,
    ]),
  }
}
