import { readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { isProfileName } from '@plugmark/shared/install'
import type { Profile } from '../../protocol/index.ts'
import { readManifest } from './manifest.ts'

/**
 * The harness home: what is configured, else the variable, else `~/.<cli>`, as the harness itself resolves it
 * (dsh-home-paths 0.1.0-rc.8).
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

/** The profiles of a home, by name. A home that is not there has none. */
export async function listProfiles(home: string): Promise<Profile[]> {
  const names = await readdir(join(home, 'profiles')).catch((): string[] => [])
  const profiles = await Promise.all(names.filter(isProfileName).map((name) => readProfile(home, name)))
  return profiles.filter((profile) => profile !== null).sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Null when there is no such profile; the CLI would make one of any name it is given, so look before it runs. */
export async function readProfile(home: string, name: string): Promise<Profile | null> {
  const manifest = await readManifest(profileDirectory(home, name))
  return manifest && { name, bundles: manifest.bundles, dependencies: manifest.dependencies }
}
