import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Manifest, readManifest } from './manifest.ts'
import { movePaths } from './move-paths.ts'
import { installedVersion } from './package.ts'

/** The files that say what a profile is; node_modules only follows them. */
export const PROFILE_FILES = [
  'package.json',
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  'cordis.patch.yml',
  '.npmrc',
  // Versions that a person allowed although the harness refuses them (dsh 0.1.7 and later).
  'compatibility.json',
] as const

/** How a profile stands, from its own files. */
export interface ProfileState {
  readonly manifest: Manifest
  /** Versions of its dependencies that lie in node_modules; null where there is none. */
  readonly versions: ReadonlyMap<string, string | null>
  /**
   * Packages whose build scripts the package manager did not run, as it noted them: `name@version`, or `name@` and the
   * tarball or repository that it comes from.
   */
  readonly unbuilt: readonly string[]
  /** Hash of each file's bytes; null where there is none. */
  readonly files: ReadonlyMap<string, string | null>
}

/**
 * @param seenFrom directory that the paths of tarballs are to be relative to, for a copy of another profile
 * @returns null when the profile is not there
 */
export async function readProfileState(directory: string, seenFrom = directory): Promise<ProfileState | null> {
  const manifest = await readManifest(directory)
  if (manifest === null) return null
  const hashes = await Promise.all(PROFILE_FILES.map((file) => hashFile(join(directory, file))))
  const names = Object.keys(manifest.dependencies)
  const versions = await Promise.all(names.map((name) => installedVersion(directory, name)))
  return {
    manifest,
    versions: new Map(names.map((name, index) => [name, versions[index] ?? null])),
    unbuilt: (await readUnbuilt(directory)).map((id) => movePaths(id, directory, seenFrom)),
    files: new Map(PROFILE_FILES.map((file, index) => [file, hashes[index] ?? null])),
  }
}

/** Names of the profile's files that differ. */
export function changedFiles(before: ProfileState, after: ProfileState): string[] {
  return PROFILE_FILES.filter((file) => before.files.get(file) !== after.files.get(file))
}

async function hashFile(path: string): Promise<string | null> {
  const bytes = await readFile(path).catch(() => null)
  return bytes && createHash('sha256').update(bytes).digest('hex')
}

/** pnpm notes what it did not build in node_modules/.modules.yaml, which is JSON (pnpm 10, 11, 12). */
async function readUnbuilt(directory: string): Promise<string[]> {
  try {
    const { ignoredBuilds } = JSON.parse(await readFile(join(directory, 'node_modules/.modules.yaml'), 'utf8'))
    return Array.isArray(ignoredBuilds) ? ignoredBuilds.filter((name) => typeof name === 'string') : []
  } catch {
    return []
  }
}
