import { bindInstall, type InstallSpec, specKey } from '@plugmark/shared/install'
import type { ListingLookup } from '../catalogue/lookup.ts'

/**
 * The `fullName` of the listing whose own install command names this spec; null when the directory has none.
 *
 * @throws DirectoryError
 */
export type ListingOf = (spec: InstallSpec) => Promise<string | null>

export function createListingOf(given: {
  readonly cli: string
  readonly listings: Pick<ListingLookup, 'find' | 'published'>
}): ListingOf {
  const { listings } = given
  return async (spec) => {
    const wanted = specKey(spec)
    const ids = spec.kind === 'npm' ? await listings.published(spec.name) : [`${spec.owner}/${spec.repo}`]
    for (const id of ids) {
      const known = await listings.find(id)
      const bound = known && bindInstall(known.record, given)
      if (bound?.ok && specKey(bound.plan.spec) === wanted) return known?.record.fullName ?? null
    }
    return null
  }
}
