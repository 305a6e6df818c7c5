import type { InstallSpec, RepositorySpec } from './command.ts'
import { specText } from './command.ts'
import { isOwnerName, isPackageName, isRepoName } from './names.ts'

/**
 * Returns the spec that installs a dependency: from the registry, whatever the range, or from a GitHub repository.
 *
 * @param name key of the dependency in the profile's package.json
 * @param source its value
 * @returns null when nothing newer can come from that source: a commit, an archive, another host, an alias, a file
 */
export function parseDependency(name: string, source: string): InstallSpec | null {
  // Ranges and tags contain neither; aliases, URLs, paths and repositories do.
  if (!/[:/]/.test(source)) return isPackageName(name) ? { kind: 'npm', name } : null
  const [, owner, repo, rest = ''] = REPOSITORY.exec(source) ?? []
  if (!isOwnerName(owner) || !isRepoName(repo)) return null
  if (rest === '') return { kind: 'github', owner, repo }
  const place = rest.startsWith('#') ? parsePlace(rest.slice(1)) : null
  return place && { kind: 'github', owner, repo, ...place }
}

/** Returns true if text can be a branch or a tag, or a commit. */
export const isRef = (text: string): boolean => /^\w[\w./-]{0,199}$/.test(text) && !text.includes('..')
/** A commit, as pnpm 10 and 11 tell it from a branch or a tag. */
const COMMIT = /^[0-9a-f]{7,40}$/
/** Parts of a folder's path. */
const FOLDER = /^\/?((?:[\w.@-]+\/)*[\w.@-]+)\/?$/

/**
 * Parses what stands behind `#` in the address of a repository: a branch or a tag, `path:/folder`, or both with `&`.
 *
 * @returns null for a commit, a range of tags, and anything else
 */
export function parsePlace(text: string): { readonly ref?: string; readonly path?: string } | null {
  const parts = text.split('&')
  const [path, ...paths] = parts
    .filter((part) => part.startsWith('path:'))
    .map((part) => FOLDER.exec(part.slice(5))?.[1])
  const [ref, ...refs] = parts.filter((part) => !part.startsWith('path:'))
  const hasPath = parts.some((part) => part.startsWith('path:'))
  if (paths.length > 0 || refs.length > 0 || (hasPath && (path === undefined || path.split('/').includes('..'))))
    return null
  if (ref !== undefined && (!isRef(ref) || COMMIT.test(ref))) return null
  return { ...(ref === undefined ? {} : { ref }), ...(path === undefined ? {} : { path }) }
}

/** Returns the folded `owner/repo` of a dependency's GitHub repository, at any commit; null for other sources. */
export function repositoryOf(source: string): string | null {
  const [, owner, repo] = REPOSITORY.exec(source) ?? []
  return owner && repo ? `${owner}/${repo}`.toLowerCase() : null
}

/** Matches a GitHub repository in a package.json, as pnpm and users write it. */
const REPOSITORY =
  /^(?:github:|git\+https:\/\/github\.com\/|git\+ssh:\/\/git@github\.com\/|https:\/\/(?:codeload\.)?github\.com\/|(?=[^/:@\s#]+\/[^/:\s#]+(?:#|$)))([^/\s]+)\/([^/\s#]+?)(?:\.git)?([/#].*)?$/i

/** Returns the key of a spec. Specs have equal keys if and only if they install the same thing. */
export const specKey = (spec: InstallSpec): string => (spec.kind === 'npm' ? spec.name : specText(spec).toLowerCase())

/** Returns the key of the package or of the folder of a repository that a spec installs, at any branch. */
export const placeKey = (spec: InstallSpec): string =>
  spec.kind === 'npm' ? spec.name : `github:${repositoryId(spec)}`.toLowerCase()

/** Returns the path of the package.json of a repository's package. */
export const manifestPath = ({ path }: Pick<RepositorySpec, 'path'>): string =>
  path === undefined ? 'package.json' : `${path}/package.json`

/** Returns the id with which a directory lists a repository, or a folder of it. */
export const repositoryId = ({ owner, repo, path }: RepositorySpec): string =>
  `${owner}/${repo}${path === undefined ? '' : `#${path}`}`

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

/** Returns the keys of what installed the layers of a profile: a listing with such a key is installed. */
export function installedSpecKeys(profile: {
  readonly layers: readonly string[]
  readonly dependencies: Readonly<Record<string, string>>
}): ReadonlySet<string> {
  const layers = new Set(profile.layers)
  return new Set(
    Object.entries(profile.dependencies).flatMap(([name, source]) => {
      const spec = layers.has(name) ? parseDependency(name, source) : null
      return spec === null ? [] : placeKey(spec)
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
  return [...new Set([specKey, npmPackage, `github:${fullName.toLowerCase()}`])].filter((key) => key !== null)
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
    const match = found.find(({ spec }) => placeKey(spec) === key)
    if (match) return match
  }
  return null
}
