import { isOwnerName, isPackageName, isRepoName } from './names.ts'
import { specText } from './spec.ts'
import type { InstallSpec } from './types.ts'

/**
 * What a dependency was installed from, if an install command can say so: the registry, whatever the range, or the
 * default branch of a GitHub repository. Null for all else: a pinned commit, another host, an alias, a file.
 *
 * @param name its name in the profile's package.json
 * @param source what stands there for it
 */
export function parseDependency(name: string, source: string): InstallSpec | null {
  // A range or a tag has neither; an alias, an address, a path and a repository have one.
  if (!/[:/]/.test(source)) return isPackageName(name) ? { kind: 'npm', name } : null
  const [, owner, repo] = REPOSITORY.exec(source) ?? []
  return !source.includes('#') && isOwnerName(owner) && isRepoName(repo) ? { kind: 'github', owner, repo } : null
}

/** `owner/repo`, folded, of the GitHub repository that a dependency comes from, whatever its commit. */
export function repositoryOf(source: string): string | null {
  const [, owner, repo] = REPOSITORY.exec(source) ?? []
  return owner && repo ? `${owner}/${repo}`.toLowerCase() : null
}

/** How pnpm writes a GitHub repository into a package.json, and how people do. */
const REPOSITORY =
  /^(?:github:|git\+https:\/\/github\.com\/|git\+ssh:\/\/git@github\.com\/|https:\/\/(?:codeload\.)?github\.com\/|(?=[^/:@\s]+\/[^/:\s]+$))([^/\s]+)\/([^/\s#]+?)(?:\.git)?(?:[/#].*)?$/i

/** Two specs name the same source exactly when they have the same key. */
export const specKey = (spec: InstallSpec): string => (spec.kind === 'npm' ? spec.name : specText(spec).toLowerCase())

/**
 * The dependency that a spec names, of those in a profile's package.json.
 *
 * @returns its name; `other-source` when the package, or the repository, is there but only from elsewhere than where
 *   the spec would take it; null when it is not there
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
    const is = parseDependency(name, source)
    if (is !== null && specKey(is) === wanted) return { name }
  }
  return sources.some(isNear) ? 'other-source' : null
}

/** Keys of the sources that the layers of a profile come from: what a listing with such a spec has installed. */
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
