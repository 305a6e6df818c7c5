import { readdir, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { isProfileName } from '@plugmark/shared/install'
import type { Profile } from '../../protocol/index.ts'
import { withLockedFolders } from './lockfile.ts'
import { readManifest } from './manifest.ts'

/** Environment variable that names the harness home. */
export const HOME_VARIABLE = 'DSH_HOME'

/**
 * Returns the harness home: the configured one, otherwise that of the variable, otherwise `~/.<cli>`, as the harness
 * itself resolves it (dsh-home-paths 0.1.0-rc.8).
 */
export function resolveHome(options: {
  readonly configured: string | undefined
  readonly fromEnvironment: string | undefined
  readonly cli: string
}): string {
  const named = options.configured?.trim() || options.fromEnvironment?.trim()
  if (!named) return join(homedir(), `.${options.cli}`)
  if (named === '~') return homedir()
  return resolve(/^~[/\\]/.test(named) ? join(homedir(), named.slice(2)) : named)
}

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
