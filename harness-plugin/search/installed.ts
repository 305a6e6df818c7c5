import { installedSpecKeys } from '@plugmark/shared/install'
import type { Profile, StoreListing } from '../protocol/index.ts'

/** Ids of the listings whose own source is a layer of a profile. One of the same name from elsewhere is not. */
export function installedListings(rows: readonly StoreListing[], profile: Profile | undefined): Set<string> {
  if (profile === undefined) return new Set()
  const keys = installedSpecKeys(profile)
  return new Set(rows.filter(({ specKey }) => specKey !== null && keys.has(specKey)).map(({ id }) => id))
}
