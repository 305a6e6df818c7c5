import { allBuckets, allListings, listingsOfPackage } from './buckets.ts'
import { createPageCatalogue } from './page-catalogue.ts'
import type { Catalogue, CatalogueOptions } from './types.ts'

/**
 * Opens the index copy in `storage`. Nothing is read or sent before the first call.
 *
 * Look-ups answer from the copy and see to its freshness; they never reject. Without a copy the first one waits for
 * it; with one over 30 days old it waits a few seconds for a newer one. All tabs over one storage together send one
 * request in six hours.
 */
export function createCatalogue(options: CatalogueOptions): Catalogue {
  const { lookUp, ...catalogue } = createPageCatalogue(options)
  return {
    ...catalogue,
    byPackage: (name) => lookUp(allBuckets(), (texts) => listingsOfPackage(texts.values(), name)),
    all: () => lookUp(allBuckets(), (texts) => allListings(texts.values())),
  }
}
