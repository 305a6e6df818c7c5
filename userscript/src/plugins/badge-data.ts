import { type IndexListing, isCategory } from '@plugmark/shared/contract'
import type { NotInstallableReason } from '@plugmark/shared/install'
import { isRoot, offerFor } from './install-command.ts'

/** The content of a repository's badge before a person points at it or focuses it. */
export interface BadgeData {
  /** Category of the first listing; null if it has none, or one newer than this script. */
  readonly category: string | null
  /** Number of listings of the repository. */
  readonly count: number
  /** Action of its button: copy a command, or let the person choose one; else the reason why there is none. */
  readonly action: 'copy' | 'choose' | NotInstallableReason
  /** True if its only listing is the repository itself: links to any of its folders stand for that listing too. */
  readonly isRoot: boolean
}

/** @param listings at least one, all for which the badge stands */
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
