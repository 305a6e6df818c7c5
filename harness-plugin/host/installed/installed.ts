import { DirectoryError } from '@plugmark/shared/client'
import { bindInstall, type InstallSpec, parseDependency, specKey } from '@plugmark/shared/install'
import type { InstalledPlugin } from '../../protocol/index.ts'
import type { ListingLookup } from '../catalogue/lookup.ts'
import type { ProfileState } from '../profile/state.ts'
import type { Newest } from './newest.ts'

/**
 * Finds the `fullName` of the listing whose own install command names a spec; null when the directory has none.
 *
 * @throws DirectoryError
 */
export type FindListing = (spec: InstallSpec) => Promise<string | null>

interface Given {
  readonly findListing: FindListing
  /** What the registry and the code host have. */
  readonly newer: Newest
  /** Package that the store itself is; null where it is none of a profile. */
  readonly ownPackage: string | null
  /** Dependencies that can be turned on and off. */
  readonly switchable: ReadonlySet<string>
  readonly redact: (text: string) => string
}

/** The dependencies of a profile, by name. `pnpm list --json` says nothing of them that its files do not. */
export async function listInstalled(state: ProfileState, given: Given): Promise<InstalledPlugin[]> {
  const { findListing, newer, ownPackage, switchable, redact } = given
  const plugins: InstalledPlugin[] = []
  for (const [name, spec] of Object.entries(state.manifest.dependencies)) {
    const version = state.versions.get(name) ?? null
    const source = parseDependency(name, spec)
    // A package of the same name in the registry says nothing of what comes from elsewhere.
    const latest = (source && newer[source.kind === 'npm' ? 'versions' : 'commits'].get(name)) ?? null
    const layer = state.manifest.bundles.includes(name)
    const identified = await identify(source, findListing)
    const isStore = name === ownPackage && (identified.unmanagedReason !== null || switchable.has(name))
    const unmanagedReason = isStore ? 'store' : identified.unmanagedReason
    plugins.push({
      name,
      spec: redact(spec),
      version,
      latest: latest === version ? null : latest,
      layer,
      enabled: unmanagedReason === null && name !== ownPackage && switchable.has(name) ? layer : null,
      listing: identified.listing,
      removable: unmanagedReason === null,
      unmanagedReason,
    })
  }
  return plugins.sort((a, b) => (a.name < b.name ? -1 : 1))
}

async function identify(
  spec: InstallSpec | null,
  findListing: FindListing,
): Promise<Pick<InstalledPlugin, 'listing' | 'unmanagedReason'>> {
  if (spec === null) return { listing: null, unmanagedReason: 'other-source' }
  try {
    const listing = await findListing(spec)
    return { listing, unmanagedReason: listing === null ? 'not-in-directory' : null }
  } catch (error) {
    if (error instanceof DirectoryError) return { listing: null, unmanagedReason: 'directory' }
    throw error
  }
}

export function createFindListing(given: {
  readonly cli: string
  readonly listings: Pick<ListingLookup, 'find' | 'published'>
}): FindListing {
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
