import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { repositoryOf } from '@plugmark/shared/install'
import * as v from 'valibot'
import { parse } from 'yaml'
import { splitPackageId } from '../../protocol/package-id.ts'
import { gitUrl } from '../process/git.ts'
import { readManifest } from './manifest.ts'

const Versions = v.optional(v.record(v.string(), v.string()))
const Direct = v.record(v.string(), v.looseObject({ specifier: v.string(), version: v.string() }))
const Systems = v.fallback(v.optional(v.array(v.string())), undefined)
/** Keeps what the package manager writes beside what is read here, so that a changed lock loses nothing. */
const LockSchema = v.looseObject({
  lockfileVersion: v.optional(v.unknown()),
  importers: v.optional(
    v.looseObject({
      '.': v.looseObject({ dependencies: v.optional(Direct, {}), optionalDependencies: v.optional(Direct) }),
    }),
  ),
  patchedDependencies: v.optional(v.record(v.string(), v.unknown())),
  packages: v.optional(
    v.record(v.string(), v.looseObject({ resolution: v.record(v.string(), v.unknown()), os: Systems, cpu: Systems })),
    {},
  ),
  snapshots: v.optional(
    v.record(
      v.string(),
      v.looseObject({ dependencies: Versions, optionalDependencies: Versions, optional: v.optional(v.boolean()) }),
    ),
    {},
  ),
})
export type Lockfile = v.InferOutput<typeof LockSchema>

/** Reads the pnpm-lock.yaml of a profile; null when there is none that can be read. */
export const readLockfile = async (directory: string): Promise<Lockfile | null> =>
  parseLockfile(await readFile(join(directory, 'pnpm-lock.yaml'), 'utf8').catch(() => ''))

/** Parses the text of a pnpm-lock.yaml; null when it is not one. */
export function parseLockfile(text: string): Lockfile | null {
  try {
    return v.parse(LockSchema, parse(text, { logLevel: 'error', maxAliasCount: 0 }))
  } catch {
    return null
  }
}

/** Returns what a profile itself depends on, by name. */
export function directIn(lockfile: Lockfile | null) {
  const { dependencies, optionalDependencies } = lockfile?.importers?.['.'] ?? {}
  return new Map(Object.entries({ ...dependencies, ...optionalDependencies }))
}

/** Returns the id of a package without its peers, which pnpm writes in parentheses. */
export const withoutPeers = (key: string): string => key.split('(')[0]!

/**
 * Reads the installed packages from pnpm-lock.yaml: the integrity of each package, or the commit of a repository. Omits
 * packages from local files, because their ids are paths relative to the profile.
 *
 * @returns null without a readable lockfile
 */
export async function readLockfilePackages(directory: string): Promise<ReadonlyMap<string, string> | null> {
  const lockfile = await readLockfile(directory)
  if (lockfile === null) return null
  const entries = Object.entries(lockfile.packages).filter(([key]) => !key.includes('@file:'))
  return new Map(entries.map(([key, { resolution }]) => [key, JSON.stringify(resolution)]))
}

/** A package of a repository. */
interface LockedRepository {
  readonly url: string
  readonly commit: string
  /** Folder of the package; null for the root. */
  readonly path: string | null
}

/** Returns what a profile's dependencies from repositories are installed from, by name. */
export async function lockedRepositories(directory: string): Promise<ReadonlyMap<string, LockedRepository>> {
  const ids = [...((await readLockfilePackages(directory))?.keys() ?? [])].map(parsePackageId)
  return new Map(ids.flatMap(({ name, repository }) => (repository ? [[name, repository]] : [])))
}

/**
 * Returns dependencies with the folders of their repositories. pnpm 10 keeps these in the lockfile alone: its
 * package.json names the repository, as if the package were in its root.
 */
export async function withLockedFolders(
  directory: string,
  dependencies: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  const couldBe = (source: string) => repositoryOf(source) !== null && !source.includes('path:')
  if (!Object.values(dependencies).some(couldBe)) return dependencies
  const locked = await lockedRepositories(directory)
  const placed = Object.entries(dependencies).map(([name, source]) => {
    const path = couldBe(source) ? (locked.get(name)?.path ?? null) : null
    return [name, path === null ? source : `${source}${source.includes('#') ? '&' : '#'}path:/${path}`]
  })
  // Without a prototype, as they are read.
  return Object.assign(Object.create(null), Object.fromEntries(placed))
}

/** Returns the dependencies whose folder package.json does not have. @param dependencies of `withLockedFolders` */
export async function findLostFolders(
  directory: string,
  dependencies: Readonly<Record<string, string>>,
): Promise<ReadonlySet<string>> {
  const written = (await readManifest(directory))?.dependencies ?? {}
  return new Set(Object.keys(dependencies).filter((name) => dependencies[name] !== written[name]))
}

/** Parses the id of a package. @param id `name@version`, or `name@` and the address of a repository at a commit */
export function parsePackageId(id: string): {
  readonly name: string
  readonly version: string | null
  readonly repository: LockedRepository | null
} {
  const { name, version: rest } = splitPackageId(id)
  if (rest === null) return { name, version: null, repository: null }
  const [, repository, commit, path = null] = COMMIT.exec(rest) ?? []
  if (repository && commit) return { name, version: null, repository: { url: gitUrl(repository), commit, path } }
  return { name, version: /^\d/.test(rest) ? rest : null, repository: null }
}

const COMMIT =
  /^(?:git\+)?(?:https:\/\/(?:codeload\.)?|ssh:\/\/git@)github\.com\/([^/\s#]+\/[^/\s#]+?)(?:\.git)?(?:#|\/tar\.gz\/)([0-9a-f]{40})(?:[&#]path:\/?([^\s&#]+))?$/

/** Returns the packages that two profiles have in different versions, or that only one of them has. */
export function packageDifferences(
  one: ReadonlyMap<string, string> | null,
  other: ReadonlyMap<string, string> | null,
): string[] {
  const names = new Set([...(one?.keys() ?? []), ...(other?.keys() ?? [])])
  return [...names].filter((name) => one?.get(name) !== other?.get(name))
}
