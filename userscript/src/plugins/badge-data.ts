import { type IndexListing, isCategory } from '@plugmark/shared/contract'
import type { NotInstallableReason } from '@plugmark/shared/install'
import { isRoot, offerFor } from './install-command.ts'

/** All that a badge shows of a repository before a person turns to it. */
export interface BadgeData {
  /** Of the first listing; null for one that has none, or an id newer than this script. */
  readonly category: string | null
  /** Listings of the repository. */
  readonly count: number
  /** What its button does: copy a command, let the person choose one, or say why there is none. */
  readonly action: 'copy' | 'choose' | NotInstallableReason
  /** Whether it is one listing, that of the repository itself: a link to any of its directories stands for it too. */
  readonly isRoot: boolean
}

/** @param listings at least one, all that the badge stands for */
export function toBadgeData(listings: readonly IndexListing[], { cli }: { readonly cli: string }): BadgeData {
  const offer = offerFor(listings, { cli })
  const [first] = listings as readonly [IndexListing, ...IndexListing[]]
  const { category } = first
  return {
    category: isCategory(category) ? category : null,
    count: listings.length,
    action: offer.kind === 'command' ? 'copy' : offer.kind === 'choice' ? 'choose' : offer.reason,
    isRoot: listings.length === 1 && isRoot(first),
  }
}

export const isSameBadge = (a: BadgeData, b: BadgeData): boolean =>
  a.category === b.category && a.count === b.count && a.action === b.action
