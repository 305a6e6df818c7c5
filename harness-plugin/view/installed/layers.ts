import type { Profile, StoreListing } from '../../bridge/index.ts'

/**
 * Listings that are layers of a profile: by their package, or by the repository that a dependency names. A package of
 * the same name from elsewhere is not taken for the listing's.
 */
export function installedListings(rows: readonly StoreListing[], profile: Profile | undefined): Set<string> {
  const packages = new Set<string>()
  const repositories = new Set<string>()
  for (const [name, source] of Object.entries(profile?.dependencies ?? {})) {
    if (!profile?.bundles.includes(name)) continue
    const repository = REPOSITORY.exec(source)?.[1]
    if (repository) repositories.add(repository.toLowerCase())
    else if (/^[\^~]?\d/.test(source)) packages.add(name)
  }
  const isInstalled = ({ id, npmPackage }: StoreListing) =>
    npmPackage === null ? repositories.has(id.toLowerCase()) : packages.has(npmPackage)
  return new Set(rows.filter(isInstalled).map(({ id }) => id))
}

/** How pnpm writes a GitHub repository into a package.json. */
const REPOSITORY =
  /^(?:github:|git\+(?:https:\/\/|ssh:\/\/git@)github\.com\/|https:\/\/(?:codeload\.)?github\.com\/)([^/\s]+\/[^/\s#]+?)(?:\.git)?(?:[/#].*)?$/i
