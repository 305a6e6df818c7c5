import { nameParts } from '@plugmark/shared/contract'
import type { StoreListing } from '../protocol/index.ts'

/** What a listing is called everywhere: its package without the scope, else the end of its path, else its repository. */
export function listingName({ id, npmPackage }: Pick<StoreListing, 'id' | 'npmPackage'>): string {
  const { repo, subpath } = nameParts(id)
  return (npmPackage === null ? '' : packageName(npmPackage)) || (subpath ?? repo).split('/').findLast(Boolean) || repo
}

/** A package's name without its scope. */
export const packageName = (name: string): string => name.replace(/^@[^/]*\//, '')

/** Where a listing is from, beside its name: owner, then what the name does not say of repository and path. */
export function listingPlace(listing: Pick<StoreListing, 'id' | 'npmPackage'>): string {
  const { owner, repo, subpath } = nameParts(listing.id)
  if (subpath !== null) return `${owner}/${repo}/${subpath}`
  return listingName(listing) === repo ? owner : `${owner}/${repo}`
}
