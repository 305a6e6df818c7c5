import { CATEGORIES, type IndexListing, isCategory } from '@plugmark/shared/contract'
import { ACTIONS, type BadgeData, type FaceCode, MOST, OTHER, readFace } from './badge-data.ts'
import { offerFor } from './install-command.ts'

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

export const toBadgeData = (listings: readonly IndexListing[], { cli }: { readonly cli: string }): BadgeData =>
  readFace(faceOf(listings, { cli }))!
