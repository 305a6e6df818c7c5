import { readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { isProfileName } from '@plugmark/shared/install'
import type { Profile } from '../../protocol/index.ts'
import { withLockedFolders } from './lockfile.ts'
import { readManifest } from './manifest.ts'

export const profileDirectory = (home: string, name: string): string => join(home, 'profiles', name)

/** Returns the folder that a profile's folder is or links to; the first if it does not exist. */
export async function realProfileDirectory(home: string, name: string): Promise<string> {
  const directory = profileDirectory(home, name)
  // Its absence is reported by who reads it.
  return realpath(directory).catch(() => directory)
}

/** Returns the profiles of a home by name. A missing home has none. */
export async function listProfiles(home: string): Promise<Profile[]> {
  const names = await readdir(join(home, 'profiles')).catch((): string[] => [])
  const profiles = await Promise.all(names.filter(isProfileName).map((name) => readProfile(home, name)))
  return profiles.filter((profile) => profile !== null).sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Reads a profile; null if it does not exist. Check this first: the harness's CLI creates a profile of any name. */
export async function readProfile(home: string, name: string): Promise<Profile | null> {
  const directory = profileDirectory(home, name)
  const manifest = await readManifest(directory)
  if (manifest === null) return null
  return { name, layers: manifest.layers, dependencies: await withLockedFolders(directory, manifest.dependencies) }
}
