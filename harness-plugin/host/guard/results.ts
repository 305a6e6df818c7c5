import type {
  Answer,
  CatalogueStatus,
  Compatibility,
  InstalledPlugin,
  Job,
  ListingDetails,
  ListingsPage,
  Overview,
  Review,
  StoreListing,
} from '../../bridge/index.ts'
import type { CallInput, CallName } from './calls.ts'

/** The results of the calls in `CALLS`. */
export interface CallResults {
  overview: Overview
  listings: ListingsPage
  search: readonly StoreListing[]
  describe: readonly StoreListing[]
  details: ListingDetails
  refresh: CatalogueStatus
  download: CatalogueStatus
  stopDownload: CatalogueStatus
  review: Review
  compatibility: Compatibility | null
  start: Job
  cancel: Job
  installed: readonly InstalledPlugin[]
  checkUpdates: readonly InstalledPlugin[]
}

/** The calls themselves. They assume that caller and argument were checked; `serve` does that. */
export type StoreCalls = { [K in CallName]: (input: CallInput<K>) => Promise<Answer<CallResults[K]>> }
