import type { InstallSpec } from './command.ts'
import { specText } from './command.ts'
import { isOwnerName, isPackageName, isRepoName } from './names.ts'

/**
 * Returns the spec that installs a dependency: from the registry, whatever the range, or from the default branch of a
 * GitHub repository.
 *
 * @param name key of the dependency in the profile's package.json
 * @param source its value
 * @returns null when no install command has that source: a pinned commit, another host, an alias, a file
 */
export function parseDependency(name: string, source: string): InstallSpec | null {
  // Ranges and tags contain neither; aliases, URLs, paths and repositories do.
  if (!/[:/]/.test(source)) return isPackageName(name) ? { kind: 'npm', name } : null
  const [, owner, repo] = REPOSITORY.exec(source) ?? []
  return !source.includes('#') && isOwnerName(owner) && isRepoName(repo) ? { kind: 'github', owner, repo } : null
}

/** Returns the folded `owner/repo` of a dependency's GitHub repository, at any commit; null for other sources. */
export function repositoryOf(source: string): string | null {
  const [, owner, repo] = REPOSITORY.exec(source) ?? []
  return owner && repo ? `${owner}/${repo}`.toLowerCase() : null
}

/** Matches a GitHub repository in a package.json, as pnpm and people write it. */
const REPOSITORY =
  /^(?:github:|git\+https:\/\/github\.com\/|git\+ssh:\/\/git@github\.com\/|https:\/\/(?:codeload\.)?github\.com\/|(?=[^/:@\s]+\/[^/:\s]+$))([^/\s]+)\/([^/\s#]+?)(?:\.git)?(?:[/#].*)?$/i

/** Returns the key of a spec. Specs have equal keys if and only if they install the same thing. */
export const specKey = (spec: InstallSpec): string => (spec.kind === 'npm' ? spec.name : specText(spec).toLowerCase())

/**
 * Finds the dependency that a spec installs among those of a profile's package.json.
 *
 * @returns its name; `other-source` when the package or the repository is there, but from another source than the
 *   spec's; null when it is not there
 */
export function findDependency(
  spec: InstallSpec,
  dependencies: Readonly<Record<string, string>>,
): { readonly name: string } | 'other-source' | null {
  const wanted = specKey(spec)
  const isNear = ([name, source]: [string, string]) =>
    spec.kind === 'npm' ? name === spec.name : repositoryOf(source) === `${spec.owner}/${spec.repo}`.toLowerCase()
  const sources = Object.entries(dependencies)
  for (const [name, source] of sources) {
    const parsed = parseDependency(name, source)
    if (parsed !== null && specKey(parsed) === wanted) return { name }
  }
  return sources.some(isNear) ? 'other-source' : null
}

/** Returns the keys of the specs that installed the layers of a profile: a listing with such a spec is installed. */
export function installedSpecKeys(profile: {
  readonly bundles: readonly string[]
  readonly dependencies: Readonly<Record<string, string>>
}): ReadonlySet<string> {
  const layers = new Set(profile.bundles)
  return new Set(
    Object.entries(profile.dependencies).flatMap(([name, source]) => {
      const spec = layers.has(name) ? parseDependency(name, source) : null
      return spec === null ? [] : specKey(spec)
    }),
  )
}

/**
 * Returns the keys of every source from which a profile may have a listing: its install command's, its package, and its
 * repository. A directory may list a package that a profile has from the repository, and the other way round.
 */
export const listingKeys = (listing: {
  readonly fullName: string
  readonly npmPackage: string | null
  readonly specKey: string | null
}): string[] => {
  const { fullName, npmPackage, specKey } = listing
  // Installing a repository does not install the listing of a subdirectory.
  const repository = fullName.includes('#') ? null : `github:${fullName.toLowerCase()}`
  return [...new Set([specKey, npmPackage, repository])].filter((key) => key !== null)
}

/** Finds the dependency that a listing installs, from any of its sources; null when the profile has none. */
export function findListedDependency(
  listing: Parameters<typeof listingKeys>[0],
  dependencies: Readonly<Record<string, string>>,
): { readonly name: string; readonly spec: InstallSpec } | null {
  const found = Object.entries(dependencies).flatMap(([name, source]) => {
    const spec = parseDependency(name, source)
    return spec === null ? [] : { name, spec }
  })
  for (const key of listingKeys(listing)) {
    const match = found.find(({ spec }) => specKey(spec) === key)
    if (match) return match
  }
  return null
}
