import { VERDICTS } from '@plugmark/shared/contract'
import type { IndexDifference } from '@plugmark/shared/index-cache'
import { NOT_INSTALLABLE_REASONS } from '@plugmark/shared/install'
import * as v from 'valibot'
import { Exact, ExactOrNull, Instant, Name, NameOrNull, Text, TextOrNull, Texts, type Value } from './text.ts'

/** One listing of the directory, as a row shows it. Most have only the fields of the index at first. */
export const ListingSchema = v.object({
  /** The record's `fullName`: `owner/repo`, or `owner/repo#sub/path`. */
  id: Text,
  /** True if its record was fetched. Otherwise, fields that the index lacks are null or empty. */
  described: v.boolean(),
  summary: TextOrNull,
  summaryZh: TextOrNull,
  category: NameOrNull,
  stars: v.nullable(v.number()),
  license: NameOrNull,
  language: NameOrNull,
  npmPackage: TextOrNull,
  riskFlags: v.array(Name),
  blockedBuilds: Texts,
  /** Null when it is unknown. */
  verdict: v.nullable(v.picklist(VERDICTS)),
  /** Time of the install check; null when it is unknown. */
  checkedAt: Instant,
  /** Time of the repository's last push; null when it is unknown. */
  pushedAt: Instant,
  /**
   * Key of the source in its install command (`specKey`): a package name, or `github:owner/repo`, folded. Null when no
   * command installs this very listing.
   */
  specKey: ExactOrNull,
  /** True if a command installs it, whatever the verdict is. */
  installable: v.boolean(),
  /** Source repository, an http or https address. */
  repoUrl: TextOrNull,
})
export type StoreListing = Value<typeof ListingSchema>

/** Everything known of a listing. */
export const DetailsSchema = v.object({
  ...ListingSchema.entries,
  /** The exact command for the requested profile; null when there is none, for the `reason` beside it. */
  command: ExactOrNull,
  reason: v.nullable(v.picklist(NOT_INSTALLABLE_REASONS)),
  /** Ways to install it. The verdict is about the listing's own command only, never about these. */
  options: v.array(
    v.object({
      label: Text,
      /** Advice before using it; may be empty. */
      note: Text,
      /** For the requested profile; null when it does not install this listing. */
      command: v.nullable(Exact),
    }),
  ),
  /** Ids of the other listings of the same repository. */
  siblings: Texts,
  /** The listing's page in the directory; null when it has none. */
  page: TextOrNull,
})
export type ListingDetails = Value<typeof DetailsSchema>

export interface CatalogueStatus {
  readonly state: /** Not requested yet. */
    | 'idle'
    /** The directory is being read. */
    | 'loading'
    /** It was read; if no listing has passed, then none did. */
    | 'ready'
    /** The directory has listings, but does not say which have passed. */
    | 'unverifiable'
    /** The directory could not be read; earlier listings are kept. */
    | 'failed'
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
  /** Time when the directory made the index that is here, ISO 8601; null while there is none. */
  readonly generated: string | null
  /** Time when the verdicts were last read completely; null before the first time. */
  readonly loadedAt: number | null
  /** Reason why the last load failed: for the user, in English. */
  readonly failure: { readonly kind: string; readonly message: string } | null
  /**
   * Difference between the index that the user requested and the stored one, which it did not replace: it is of another
   * site, or older. Null when there is none.
   */
  readonly difference: IndexDifference | null
}
export type CatalogueState = CatalogueStatus['state']

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
