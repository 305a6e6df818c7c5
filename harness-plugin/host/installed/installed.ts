import { DirectoryError } from '@plugmark/shared/client'
import type { InstalledPlugin } from '../../bridge/index.ts'
import type { ProfileState } from '../profiles/state.ts'
import type { ListingOf } from './listing-of.ts'
import { specOf } from './source.ts'

/**
 * The dependencies of a profile, by name. `pnpm list --json` says nothing of them that its files do not.
 *
 * @param newer versions that the registry was found to have
 */
export async function listInstalled(
  state: ProfileState,
  { listingOf, newer }: { readonly listingOf: ListingOf; readonly newer: ReadonlyMap<string, string> },
): Promise<InstalledPlugin[]> {
  const plugins: InstalledPlugin[] = []
  for (const [name, spec] of Object.entries(state.manifest.dependencies)) {
    const version = state.versions.get(name) ?? null
    const latest = newer.get(name) ?? null
    const layer = state.manifest.bundles.includes(name)
    const tie = await tieOf(name, spec, listingOf)
    plugins.push({
      name,
      spec,
      version,
      latest: latest === version ? null : latest,
      layer,
      ...tie,
      removable: tie.why === null,
    })
  }
  return plugins.sort((a, b) => (a.name < b.name ? -1 : 1))
}

async function tieOf(
  name: string,
  source: string,
  listingOf: ListingOf,
): Promise<Pick<InstalledPlugin, 'listing' | 'why'>> {
  const spec = specOf(name, source)
  if (spec === null) return { listing: null, why: 'other-source' }
  try {
    const listing = await listingOf(spec)
    return { listing, why: listing === null ? 'not-in-directory' : null }
  } catch (error) {
    if (error instanceof DirectoryError) return { listing: null, why: 'directory' }
    throw error
  }
}
