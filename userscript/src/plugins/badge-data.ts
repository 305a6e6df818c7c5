import { type IndexListing, isCategory } from '@plugmark/shared/contract'
import type { NotInstallableReason } from '@plugmark/shared/install'
import { isRoot, offerFor } from './install-command.ts'

/** The content of a repository's badge before a person points at it or focuses it. */
export interface BadgeData {
  /** Of the first listing; null for one that has none, or an id newer than this script. */
  readonly category: string | null
  /** Listings of the repository. */
  readonly count: number
  /** The action of its button: copy a command, or let the person choose one; else the reason why there is none. */
  readonly action: 'copy' | 'choose' | NotInstallableReason
  /** True if its only listing is that of the repository itself: links to any of its folders lead to it too. */
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
