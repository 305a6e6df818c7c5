import { isCategory, nameParts } from '@plugmark/shared/contract'
import type { StoreListing } from '../bridge/index.ts'
import { type Codes, createCodes } from './codes.ts'
import { fold } from './fold.ts'
import { NONE, OTHER_CATEGORY } from './query.ts'

/** A listing with what finding needs of it, worked out once. */
export interface Entry {
  readonly listing: StoreListing
  /** What it is searched in, folded: its name first, then its owner and package, then both summaries. */
  readonly text: string
  /** Where its own name ends in the text, and where owner and package do. */
  readonly nameEnd: number
  readonly namesEnd: number
  /** Folded, to sort by. */
  readonly name: string
  /** Codes of its values. */
  readonly category: number
  readonly risks: readonly number[]
  /** Null where its record is not here. */
  readonly license: number | null
}

/** The values that listings have of each facet. */
export interface FacetCodes {
  readonly category: Codes
  readonly risk: Codes
  readonly license: Codes
}

export const createFacetCodes = (): FacetCodes => ({
  category: createCodes(),
  risk: createCodes(),
  license: createCodes(),
})

export function entryOf(listing: StoreListing, codes: FacetCodes): Entry {
  const { owner, repo, subpath } = nameParts(listing.id)
  const name = fold(subpath ?? repo)
  const names = `${name}\n${fold(`${owner}/${repo}\n${listing.npmPackage ?? ''}`)}`
  const flags = listing.riskFlags.length > 0 ? listing.riskFlags : [NONE]
  return {
    listing,
    text: `${names}\n${fold(listing.summary ?? '')}\n${fold(listing.summaryZh ?? '')}`,
    nameEnd: name.length,
    namesEnd: names.length,
    name,
    category: codes.category.of(isCategory(listing.category) ? listing.category : OTHER_CATEGORY),
    risks: listing.described ? flags.map(codes.risk.of) : [],
    license: listing.described ? codes.license.of(listing.license ?? NONE) : null,
  }
}
