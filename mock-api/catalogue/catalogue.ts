import { INDEX_FIELDS, type IndexDocument, type PluginRecord, successRate } from '@plugmark/shared/contract'
import { refusalOf } from './admission.ts'
import type { RepositoryFacts } from './facts.ts'
import type { Listing } from './listing.ts'
import { listingOf } from './record.ts'

/** Everything the directory knows, in the order it answers in. */
export interface Catalogue {
  /** Instant of the index, ISO 8601 in UTC with milliseconds. */
  readonly generated: string
  /** Origin of the listings' pages; null: wherever the API is served. */
  readonly site: string | null
  /** By stars, descending; equals stay in the order of the source. */
  readonly listings: readonly Listing[]
  /** The published success rate, 0 to 1, over tested listings; null when none was tested. */
  readonly successRate: number | null
}

export interface CatalogueSource {
  readonly listings: readonly Listing[]
  readonly generated: string
  readonly site?: string | null
}

/** Orders the listings and computes what is published about them as a whole. */
export function catalogueOf({ listings, generated, site = null }: CatalogueSource): Catalogue {
  return {
    generated,
    site,
    listings: listings.toSorted((a, b) => b.record.stars - a.record.stars),
    successRate: successRate(listings.map(({ verdict }) => verdict)),
  }
}

/** Instant of catalogues that are not told one. A fixed one: the same facts give the same document. */
export const DEFAULT_GENERATED = '2026-08-24T06:00:00.000Z'

export interface CatalogueOptions {
  readonly repositories: readonly RepositoryFacts[]
  /** @default 2026-08-24T06:00:00.000Z */
  readonly generated?: string
  /** Origin of the listings' pages. @default wherever the API is served */
  readonly site?: string
}

/** Derives a catalogue from facts, by the admission rules and the install-command rule. */
export function createCatalogue({ repositories, generated = DEFAULT_GENERATED, site }: CatalogueOptions): Catalogue {
  const listings = repositories.flatMap((repository) =>
    repository.packages
      .filter((facts) => refusalOf(repository, facts) === null)
      .map((facts) => listingOf(repository, facts)),
  )
  return catalogueOf({ listings, generated, site: site ?? null })
}

/** The record of a listing as it is served at `site`; a listing without a page is addressed by its repository. */
export function recordOf({ record, path }: Listing, site: string): PluginRecord {
  return { ...record, url: path === null ? record.repoUrl : site + path }
}

/** The index document as it is served at `site`. */
export function indexOf({ generated, listings }: Catalogue, site: string): IndexDocument {
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
