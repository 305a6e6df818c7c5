import { DirectoryError } from '@plugmark/shared/client'
import { type InstallSpec, parseDependency } from '@plugmark/shared/install'
import type { InstalledPlugin } from '../../bridge/index.ts'
import type { ProfileState } from '../profile/state.ts'
import type { ListingOf } from './listing-of.ts'
import type { Newest } from './newest.ts'

interface Given {
  readonly listingOf: ListingOf
  /** What the registry and the code host were found to have. */
  readonly newer: Newest
  /** Package that the store itself is; null where it is none of a profile. */
  readonly ownPackage: string | null
  /** Dependencies that can be turned on and off. */
  readonly switchable: ReadonlySet<string>
  /** A text as it may be shown. */
  readonly show: (text: string) => string
}

/** The dependencies of a profile, by name. `pnpm list --json` says nothing of them that its files do not. */
export async function listInstalled(state: ProfileState, given: Given): Promise<InstalledPlugin[]> {
  const { listingOf, newer, ownPackage, switchable, show } = given
  const plugins: InstalledPlugin[] = []
  for (const [name, spec] of Object.entries(state.manifest.dependencies)) {
    const version = state.versions.get(name) ?? null
    const source = parseDependency(name, spec)
    // A package of the same name in the registry says nothing of what comes from elsewhere.
    const latest = (source && newer[source.kind === 'npm' ? 'versions' : 'commits'].get(name)) ?? null
    const layer = state.manifest.bundles.includes(name)
    const tie = await tieOf(source, listingOf)
    const why = tie.why !== null && name === ownPackage ? 'store' : tie.why
    plugins.push({
      name,
      spec: show(spec),
      version,
      latest: latest === version ? null : latest,
      layer,
      enabled: why === null && name !== ownPackage && switchable.has(name) ? layer : null,
      listing: tie.listing,
      removable: why === null,
      why,
    })
  }
  return plugins.sort((a, b) => (a.name < b.name ? -1 : 1))
}

async function tieOf(
  spec: InstallSpec | null,
  listingOf: ListingOf,
): Promise<Pick<InstalledPlugin, 'listing' | 'why'>> {
  if (spec === null) return { listing: null, why: 'other-source' }
  try {
    const listing = await listingOf(spec)
    return { listing, why: listing === null ? 'not-in-directory' : null }
  } catch (error) {
    if (error instanceof DirectoryError) return { listing: null, why: 'directory' }
    throw error
  }
}
