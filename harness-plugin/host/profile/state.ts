import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { repositoryKey } from '@plugmark/shared/contract'
import { findDependency, type InstallSpec, type RepositorySpec, repositoryOf } from '@plugmark/shared/install'
import * as v from 'valibot'
import { ignoreMissing, movePaths } from './files.ts'
import { lockedRepositories, withLockedFolders } from './lockfile.ts'
import { type Manifest, readManifest } from './manifest.ts'

/** Files that define a profile; node_modules is installed from them. */
export const PROFILE_FILES = [
  'package.json',
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  'cordis.patch.yml',
  '.npmrc',
  // Versions that the user allowed although the harness refuses them (dsh 0.1.7 and later).
  'compatibility.json',
] as const

/**
 * Files that no job writes (dsh 0.1.0-rc.8 to 0.2.1-rc.2, pnpm 10 to 12). People and the running harness write them:
 * 0.2 writes its settings, such as the language, to `cordis.patch.yml`.
 */
export const FILES_OF_OTHERS: readonly string[] = ['cordis.patch.yml', '.npmrc', 'compatibility.json']

/** A profile as its own files describe it. */
export interface ProfileState {
  readonly manifest: Manifest
  /** Versions of its dependencies in node_modules; null for one that is not installed. */
  readonly versions: ReadonlyMap<string, string | null>
  /** Commits of the dependencies from repositories, by name. */
  readonly commits: ReadonlyMap<string, string>
  /**
   * Ids of packages whose build scripts the package manager did not run: `name@version`, or `name@` and its tarball or
   * repository.
   */
  readonly unbuilt: readonly string[]
  /** Hash of each file's bytes; null for a missing file. */
  readonly files: ReadonlyMap<string, string | null>
}

/**
 * Reads the state of a profile.
 *
 * @param relativeTo directory that the paths of tarballs are relative to in the result, for a copy of another profile
 * @returns null when the profile does not exist
 */
export async function readProfileState(directory: string, relativeTo = directory): Promise<ProfileState | null> {
  const written = await readManifest(directory)
  if (written === null) return null
  const manifest = { ...written, dependencies: await withLockedFolders(directory, written.dependencies) }
  const names = Object.keys(manifest.dependencies)
  const versions = await Promise.all(names.map((name) => installedVersion(directory, name)))
  const hasRepository = Object.values(manifest.dependencies).some((source) => repositoryOf(source) !== null)
  return {
    manifest,
    versions: new Map(names.map((name, index) => [name, versions[index] ?? null])),
    commits: hasRepository ? await readCommits(directory) : new Map(),
    unbuilt: (await readUnbuilt(directory)).map((id) => movePaths(id, directory, relativeTo)),
    files: new Map(Object.entries(await hashFiles(directory, PROFILE_FILES))),
  }
}

async function readCommits(directory: string): Promise<ReadonlyMap<string, string>> {
  const locked = await lockedRepositories(directory)
  return new Map([...locked].map(([name, { commit }]) => [name, commit]))
}

/** Returns the names of the profile's files that differ. */
export function changedFiles(before: ProfileState, after: ProfileState): string[] {
  return PROFILE_FILES.filter((file) => before.files.get(file) !== after.files.get(file))
}

/** Returns the hashes of files of a profile, by their names; null for a missing file. */
export async function hashFiles(directory: string, files: readonly string[]): Promise<Record<string, string | null>> {
  const hash = async (file: string) => {
    // A folder, for example. A snapshot of it fails.
    const bytes = await readFile(join(directory, file)).catch(() => null)
    return [file, bytes && createHash('sha256').update(bytes).digest('hex')] as const
  }
  return Object.fromEntries(await Promise.all(files.map(hash)))
}

/** Reads the packages that pnpm did not build from node_modules/.modules.yaml, which is JSON (pnpm 10, 11, 12). */
async function readUnbuilt(directory: string): Promise<string[]> {
  try {
    const { ignoredBuilds } = JSON.parse(await readFile(join(directory, 'node_modules/.modules.yaml'), 'utf8'))
    return Array.isArray(ignoredBuilds) ? ignoredBuilds.filter((name) => typeof name === 'string') : []
  } catch {
    // Without the file, another package manager installed it, or nothing is installed.
    return []
  }
}

/**
 * Returns the names of specs in a profile's dependencies, without specs that are not dependencies. Of the plugins of one
 * repository, these are the ones whose source a job has changed.
 */
export const findPackageNames = (
  specs: readonly InstallSpec[],
  before: Pick<ProfileState, 'manifest'>,
  after: Pick<ProfileState, 'manifest'> | null,
): string[] =>
  specs.flatMap((spec) => {
    const had = before.manifest.dependencies
    const has = after?.manifest.dependencies ?? {}
    const isOf = (source = '') => spec.kind === 'github' && repositoryOf(source) === keyOfSpec(spec)
    const changed = Object.keys({ ...had, ...has }).filter(
      (name) => had[name] !== has[name] && (isOf(had[name]) || isOf(has[name])),
    )
    return changed.length > 0 ? changed : (findPackageName(spec, before, after) ?? [])
  })

const keyOfSpec = ({ owner, repo }: RepositorySpec): string => repositoryKey(`${owner}/${repo}`)

/**
 * Finds the name of a spec in a profile's dependencies. The name of a repository's package is known only once it is
 * installed: it is the dependency whose own spec names that repository, otherwise one from another commit or directory
 * of it.
 *
 * @returns null when the profile does not have it
 */
export function findPackageName(
  spec: InstallSpec,
  before: Pick<ProfileState, 'manifest'>,
  after: Pick<ProfileState, 'manifest'> | null,
): string | null {
  if (spec.kind === 'npm') return spec.name
  const states = [after, before].map((state) => state?.manifest.dependencies ?? {})
  for (const dependencies of states) {
    const found = findDependency(spec, dependencies)
    if (found !== null && found !== 'other-source') return found.name
  }
  const near = states.flatMap(Object.entries<string>).find(([, source]) => repositoryOf(source) === keyOfSpec(spec))
  return near?.[0] ?? null
}

const PackageSchema = v.object({
  version: v.optional(v.string()),
  dsh: v.optional(v.object({ bundle: v.optional(v.object({})) })),
})

/** Returns the version of a package in a profile's node_modules; null when it is missing or has no version. */
async function installedVersion(directory: string, name: string): Promise<string | null> {
  return (await readPackage(directory, name, PackageSchema))?.version ?? null
}

/** Returns true if a package is in a profile's node_modules. */
export async function isInstalled(directory: string, name: string): Promise<boolean> {
  return (await stat(join(directory, 'node_modules', name, 'package.json')).catch(ignoreMissing)) !== undefined
}

/** Returns true if a package in a profile's node_modules declares a layer. */
export async function declaresLayer(directory: string, name: string): Promise<boolean> {
  return (await readPackage(directory, name, PackageSchema))?.dsh?.bundle !== undefined
}

const RepositorySchema = v.object({
  repository: v.union([v.string(), v.object({ url: v.string(), directory: v.optional(v.string()) })]),
})

/**
 * Returns the repository on the code host that an installed package names, folded; null when it names none, or a folder
 * of one.
 */
export async function declaredRepository(directory: string, name: string): Promise<InstallSpec | null> {
  const { repository = '' } = (await readPackage(directory, name, RepositorySchema)) ?? {}
  if (typeof repository === 'object' && repository.directory !== undefined) return null
  const text = typeof repository === 'object' ? repository.url : repository
  const [owner, repo] = repositoryOf(text.replace(/^git:/, 'https:'))?.split('/') ?? []
  return owner && repo ? { kind: 'github', owner, repo } : null
}

/**
 * Reads the package.json of a package in a profile's node_modules.
 *
 * @returns null if it is missing or has another form: then the harness cannot load the package either, and says so
 */
export async function readPackage<T>(
  directory: string,
  name: string,
  schema: v.GenericSchema<unknown, T>,
): Promise<T | null> {
  try {
    return v.parse(schema, JSON.parse(await readFile(join(directory, 'node_modules', name, 'package.json'), 'utf8')))
  } catch {
    return null
  }
}

const PagePartSchema = v.object({
  dsh: v.object({ client: v.looseObject({}) }),
  exports: v.object({ './client': v.union([v.string(), v.looseObject({ default: v.string() })]) }),
})

/** Reads the file of a plugin's part of the web page; null if it declares none. Its source is null if it cannot be read. */
export async function readPagePart(directory: string, plugin: string) {
  const declared = await readPackage(directory, plugin, PagePartSchema)
  if (declared === null) return null
  const client = declared.exports['./client']
  const file = typeof client === 'string' ? client : client.default
  const name = join(plugin, file)
  try {
    return { name, source: await readFile(join(directory, 'node_modules', plugin, file), 'utf8'), problem: null }
  } catch (error) {
    return { name, source: null, problem: String((error as NodeJS.ErrnoException).code ?? error) }
  }
}
