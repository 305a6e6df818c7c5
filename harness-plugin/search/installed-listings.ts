import { installedSpecKeys, listingKeys } from '@plugmark/shared/install'
import type { Profile, StoreListing } from '../protocol/index.ts'

/** Returns the ids of the listings that are a layer of a profile, from their repository or as their package. */
export function installedListings(rows: readonly StoreListing[], profile: Profile | undefined): Set<string> {
  if (profile === undefined) return new Set()
  const keys = installedSpecKeys(profile)
  return new Set(
    rows
      .filter(({ id, npmPackage, specKey }) =>
        listingKeys({ fullName: id, npmPackage, specKey }).some((key) => keys.has(key)),
      )
      .map(({ id }) => id),
  )
}
