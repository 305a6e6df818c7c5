import type { Verdict } from '@plugmark/shared/contract'

/** One listing that is known to have passed its install check, as a row shows it. */
export interface StoreListing {
  /** The record's `fullName`. */
  readonly id: string
  readonly summary: string | null
  readonly summaryZh: string | null
  readonly category: string | null
  readonly stars: number
  readonly license: string | null
  readonly language: string | null
  readonly npmPackage: string | null
  readonly riskFlags: readonly string[]
  readonly blockedBuilds: readonly string[]
  readonly verdict: Verdict
  /** When the install check ran, ISO 8601; null when the directory does not say. */
  readonly checkedAt: string | null
  /** Source repository, an http or https address. */
  readonly repoUrl: string
}

/**
 * - `idle`: nobody asked yet
 * - `loading`: rows arrive
 * - `ready`: every row is here; none of them means that nothing has passed
 * - `unverifiable`: the directory has listings, but does not say which passed
 * - `failed`: the directory could not be read; rows of an earlier load are still here
 */
export type CatalogueState = 'idle' | 'loading' | 'ready' | 'unverifiable' | 'failed'

export interface CatalogueStatus {
  readonly state: CatalogueState
  /** Changes when rows of an earlier answer no longer hold; then start again from row 0. */
  readonly revision: number
  /** Rows that are here. */
  readonly count: number
  /** Rows that the directory sent and that did not parse. */
  readonly rejected: number
  /** When the rows were complete; null while they never were. */
  readonly loadedAt: number | null
  /** Why the last load failed: for a person, in English. */
  readonly failure: { readonly kind: string; readonly message: string } | null
}

export interface ListingsPage {
  readonly status: CatalogueStatus
  /** Position of the first row. */
  readonly from: number
  readonly rows: readonly StoreListing[]
}
