import type { Verdict } from '@plugmark/shared/contract'

/**
 * One listing of the directory, as a row shows it. Of most, the index says what they are called and whether a command
 * installs them; the rest is known once their record was seen.
 */
export interface StoreListing {
  /** The record's `fullName`. */
  readonly id: string
  /** Whether its record is here. Without it, what the index does not carry is null or empty. */
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
  /** Null when it is not known here. */
  readonly verdict: Verdict | null
  /** When the install check ran, ISO 8601; null when the directory does not say. */
  readonly checkedAt: string | null
  /**
   * Key of the source that its install command names (`specKey`): a package name, or `github:owner/repo`, folded. Null
   * when it has no command that installs this very listing.
   */
  readonly specKey: string | null
  /** Whether it has such a command. Says nothing of a verdict. */
  readonly installable: boolean
  /** Source repository, an http or https address. */
  readonly repoUrl: string | null
}

/**
 * - `idle`: nobody asked yet
 * - `loading`: the directory is being read
 * - `ready`: it was read; none that passed means that nothing has
 * - `unverifiable`: the directory has listings, but does not say which passed
 * - `failed`: the directory could not be read; what was here before still is
 */
export type CatalogueState = 'idle' | 'loading' | 'ready' | 'unverifiable' | 'failed'

export interface CatalogueStatus {
  readonly state: CatalogueState
  /** Changes when rows of an earlier answer no longer hold; then start again from row 0. */
  readonly revision: number
  /** Where the rows end that a page can ask for. It grows as listings become known or change. */
  readonly end: number
  /** Listings that are here. */
  readonly count: number
  /** Of them, those whose record is here. */
  readonly described: number
  /** Rows of the directory's last answer that did not parse. */
  readonly rejected: number
  /** When the directory made the index that is here, ISO 8601; null while there is none. */
  readonly generated: string | null
  /** When it was last read whole which listings passed; null while that never was. */
  readonly loadedAt: number | null
  /** Why the last reading failed: for a person, in English. */
  readonly failure: { readonly kind: string; readonly message: string } | null
  /** How far the download of every record is, in listings; null while there is none. */
  readonly download: { readonly done: number; readonly total: number | null } | null
  /** When every record was downloaded; null when they never were. */
  readonly downloadedAt: number | null
}

/** At most a hundred rows: those that passed first, by stars. A listing that changed comes again, and replaces its row. */
export interface ListingsPage {
  readonly status: CatalogueStatus
  /** Position that was asked for. */
  readonly from: number
  /** Position to ask for next; that of the end when there is no more. */
  readonly next: number
  readonly rows: readonly StoreListing[]
}
