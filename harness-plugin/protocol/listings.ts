import type { Verdict } from '@plugmark/shared/contract'
import type { IndexDifference } from '@plugmark/shared/index-cache'
import type { NotInstallableReason } from '@plugmark/shared/install'

/** One listing of the directory, as a row shows it. Most have only the fields of the index at first. */
export interface StoreListing {
  /** The record's `fullName`. */
  readonly id: string
  /** True if its record was fetched. Otherwise, fields that the index lacks are null or empty. */
  readonly described: boolean
  readonly summary: string | null
  readonly summaryZh: string | null
  readonly category: string | null
  readonly stars: number | null
  readonly license: string | null
  readonly language: string | null
  readonly npmPackage: string | null
  readonly riskFlags: readonly string[]
  readonly blockedBuilds: readonly string[]
  /** Null when it is unknown. */
  readonly verdict: Verdict | null
  /** When the install check ran, ISO 8601; null when it is unknown. */
  readonly checkedAt: string | null
  /** Time of the repository's last push, ISO 8601; null when it is unknown. */
  readonly pushedAt: string | null
  /**
   * Key of the source in its install command (`specKey`): a package name, or `github:owner/repo`, folded. Null when no
   * command installs this very listing.
   */
  readonly specKey: string | null
  /** True if a command installs it, whatever the verdict is. */
  readonly installable: boolean
  /** Source repository, an http or https address. */
  readonly repoUrl: string | null
}

/** One way to install a listing. The verdict is about the listing's own command only, never about these. */
export interface DetailedOption {
  readonly label: string
  /** Advice before using it; may be empty. */
  readonly note: string
  /** For the requested profile; null when it does not install this listing. */
  readonly command: string | null
}

/** Everything known of a listing. */
export interface ListingDetails extends StoreListing {
  /** The exact command for the requested profile; null when there is none, for the `reason` beside it. */
  readonly command: string | null
  readonly reason: NotInstallableReason | null
  readonly options: readonly DetailedOption[]
  /** Ids of the other listings of the same repository. */
  readonly siblings: readonly string[]
  /** The listing's page in the directory; null when it has none. */
  readonly page: string | null
}

/**
 * - `idle`: not requested yet
 * - `loading`: the directory is being read
 * - `ready`: it was read; if no listing has passed, then none did
 * - `unverifiable`: the directory has listings, but does not say which have passed
 * - `failed`: the directory could not be read; earlier listings are kept
 */
export type CatalogueState = 'idle' | 'loading' | 'ready' | 'unverifiable' | 'failed'

export interface CatalogueStatus {
  readonly state: CatalogueState
  /** Changes when rows of earlier answers are no longer valid; then start again from row 0. */
  readonly revision: number
  /** Position after the last row. It grows as listings are added or change. */
  readonly end: number
  /** Number of listings. */
  readonly count: number
  /** Number of listings whose record was fetched. */
  readonly described: number
  /** Number of rows in the directory's last answer that did not parse. */
  readonly rejected: number
  /** When the directory made the index that is here, ISO 8601; null while there is none. */
  readonly generated: string | null
  /** When the verdicts were last read completely; null before the first time. */
  readonly loadedAt: number | null
  /** Reason why the last load failed: for a person, in English. */
  readonly failure: { readonly kind: string; readonly message: string } | null
  /**
   * Difference between the index that a person requested and the stored one, which it did not replace: it is of another
   * site, or older. Null when there is none.
   */
  readonly difference: IndexDifference | null
  /** Progress of the download of every record, in listings; null when none is running. */
  readonly download: { readonly done: number; readonly total: number | null } | null
  /** When every record was downloaded; null before the first time. */
  readonly downloadedAt: number | null
}

/**
 * At most 100 rows: listings that passed come first, by stars. When a listing changes, its new row replaces the earlier
 * one.
 */
export interface ListingsPage {
  readonly status: CatalogueStatus
  /** The requested position. */
  readonly from: number
  /** Position of the next page; that of the end when there is none. */
  readonly next: number
  readonly rows: readonly StoreListing[]
}
