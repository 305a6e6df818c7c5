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

/** What is published about these listings as a whole. */
export function catalogueOf({ generated, site, listings }: Omit<Catalogue, 'successRate'>): Catalogue {
  return { generated, site, listings, successRate: successRate(listings.map(({ verdict }) => verdict)) }
}

export interface CatalogueOptions {
  readonly repositories: readonly RepositoryFacts[]
  /** @default now */
  readonly generated?: string
  /** Origin of the listings' pages. @default wherever the API is served */
  readonly site?: string
}

/** Derives a catalogue from facts, by the admission rules and the install-command rule. */
export function createCatalogue({ repositories, generated, site }: CatalogueOptions): Catalogue {
  const paths = new Set<string | null>()
  const listings: Listing[] = []
  for (const repository of repositories) {
    for (const facts of repository.packages) {
      if (refusalOf(repository, facts) !== null) continue
      const listing = listingOf(repository, facts)
      let { path } = listing
      // The directory tells pages of one name apart by a number, too.
      for (let number = 2; path !== null && paths.has(path); number++) path = `${listing.path}--${number}`
      paths.add(path)
      listings.push({ ...listing, path })
    }
  }
  return catalogueOf({
    generated: generated ?? new Date().toISOString(),
    site: site ?? null,
    listings: listings.sort((a, b) => b.record.stars - a.record.stars),
  })
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
