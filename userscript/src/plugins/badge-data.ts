import { type IndexListing, isCategory } from '@plugmark/shared/contract'
import type { NotInstallableReason } from '@plugmark/shared/install'
import { offerFor } from './install-command.ts'

/** All that a badge shows of a repository before a person turns to it. */
export interface BadgeData {
  /** Of the first listing; null for one that has none, or an id newer than this script. */
  readonly category: string | null
  /** Listings of the repository. */
  readonly count: number
  /** What its button does: copy a command, let the person choose one, or say why there is none. */
  readonly action: 'copy' | 'choose' | NotInstallableReason
}

/** @param listings at least one, all that the badge stands for */
export function toBadgeData(listings: readonly IndexListing[], { cli }: { readonly cli: string }): BadgeData {
  const offer = offerFor(listings, { cli })
  const { category } = listings[0]!
  return {
    category: isCategory(category) ? category : null,
    count: listings.length,
    action: offer.kind === 'command' ? 'copy' : offer.kind === 'choice' ? 'choose' : offer.reason,
  }
}

export const isSameBadge = (a: BadgeData, b: BadgeData): boolean =>
  a.category === b.category && a.count === b.count && a.action === b.action
