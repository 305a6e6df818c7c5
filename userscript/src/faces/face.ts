import { CATEGORIES, type IndexListing, isCategory } from '@plugmark/shared/contract'
import { NOT_INSTALLABLE_REASONS, type NotInstallableReason } from '@plugmark/shared/install'
import { offerFor } from '../badge/offer.ts'

/** All that a badge shows of a repository before a person turns to it. */
export interface Face {
  /** Of the first listing; null for one that has none, or an id newer than this script. */
  readonly category: string | null
  /** Listings of the repository. At most 255; more are not told apart. */
  readonly count: number
  /** What its button does: copy a command, let a person choose one, or say why there is none. */
  readonly action: 'copy' | 'choose' | NotInstallableReason
}

/** A face as a number below 2^16: 8 bits of count, 4 of action, 4 of category. Small enough to keep one a repository. */
export type FaceCode = number

const ACTIONS = ['copy', 'choose', ...NOT_INSTALLABLE_REASONS] as const
const OTHER = CATEGORIES.length
const MOST = 255

/**
 * The face of a repository's badge.
 *
 * @param listings at least one; their commands are untrusted until bound
 */
export function faceOf(listings: readonly IndexListing[], { cli }: { readonly cli: string }): FaceCode {
  const offer = offerFor(listings, { cli })
  const action = offer.kind === 'command' ? 'copy' : offer.kind === 'choice' ? 'choose' : offer.reason
  const { category } = listings[0]!
  return (
    (Math.min(listings.length, MOST) << 8) |
    (ACTIONS.indexOf(action) << 4) |
    (isCategory(category) ? CATEGORIES.indexOf(category) : OTHER)
  )
}

/** @returns null for a number that is no face */
export function readFace(code: FaceCode): Face | null {
  const action = ACTIONS[(code >> 4) & 15]
  const count = code >> 8
  const category = code & 15
  if (action === undefined || count === 0 || count > MOST || category > OTHER) return null
  return { category: CATEGORIES[category] ?? null, count, action }
}
