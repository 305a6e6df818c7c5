import type { NotInstallableReason } from '@plugmark/shared/install'
import type { StoreListing } from './listings.ts'

/** One way to install a listing. The verdict of a listing is about its own command only, never about these. */
export interface DetailedOption {
  readonly label: string
  /** What to know before using it; may be empty. */
  readonly note: string
  /** For the profile that was asked about; null when it is not a command that installs this listing. */
  readonly command: string | null
}

/** All that is known of a listing. */
export interface ListingDetails extends StoreListing {
  /** The exact command, for the profile that was asked about; null when there is none, and then the reason says why. */
  readonly command: string | null
  readonly reason: NotInstallableReason | null
  readonly options: readonly DetailedOption[]
  /** Other listings of the same repository, by id. */
  readonly siblings: readonly string[]
  /** The listing's page in the directory; null when it has none. */
  readonly page: string | null
  /** When the repository was last pushed to, ISO 8601. */
  readonly pushedAt: string | null
}
