import type { Answer } from './answer.ts'
import type { Compatibility } from './compatibility.ts'
import type { ListingDetails } from './details.ts'
import type { StoreEvent } from './events.ts'
import type { InstalledPlugin } from './installed.ts'
import type { Job, JobAction } from './jobs.ts'
import type { CatalogueStatus, ListingsPage, StoreListing } from './listings.ts'
import type { Overview } from './overview.ts'
import type { Review } from './review.ts'

/** All that the screen knows of where it stands. A shell implements it over its own connection. */
export interface StoreBridge {
  overview(): Promise<Answer<Overview>>
  /** At most a hundred rows from this position on; ask again from where they end. */
  listings(from: number): Promise<Answer<ListingsPage>>
  /** Asks the directory, whose listings become known here. @returns what it found, in its order */
  search(words: string): Promise<Answer<readonly StoreListing[]>>
  /** Fetches the records of at most a hundred listings, as far as they are not here. @returns their rows */
  describe(ids: readonly string[]): Promise<Answer<readonly StoreListing[]>>
  /** All that is known of a listing; asks the directory for its record when that is not here. */
  details(id: string, profile: string): Promise<Answer<ListingDetails>>
  /** A person asked for a new copy of the listings. */
  refresh(): Promise<Answer<CatalogueStatus>>
  /** Starts downloading every record, or goes on where that was stopped. */
  download(): Promise<Answer<CatalogueStatus>>
  stopDownload(): Promise<Answer<CatalogueStatus>>
  /** What a person must see before they agree, and the token that says they did. */
  review(id: string, profile: string, action: JobAction): Promise<Answer<Review>>
  /** How the harness takes what a review is of; null when that is not known beforehand. It may take some seconds. */
  compatibility(review: { id: string; token: string }): Promise<Answer<Compatibility | null>>
  /** Starts what the token was given for. */
  start(order: { id: string; token: string; acknowledged: boolean }): Promise<Answer<Job>>
  cancel(job: string): Promise<Answer<Job>>
  installed(profile: string): Promise<Answer<readonly InstalledPlugin[]>>
  /** The same, after the registry was asked for newer versions. */
  checkUpdates(profile: string): Promise<Answer<readonly InstalledPlugin[]>>
  /** @returns a function that ends the subscription */
  subscribe(listener: (event: StoreEvent) => void): () => void
}
