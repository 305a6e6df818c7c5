import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isSea } from 'node:sea'
import { fileURLToPath } from 'node:url'
import type { HostOptions } from '../host/index.ts'
import { mayHaveUpgraded as profileMayHaveUpgraded } from '../host/plugins/shared-state.ts'
import { hasUnfinishedJob as profileHasUnfinishedJob } from '../host/profile/state-folder.ts'
import { programOf } from './started.ts'

/**
 * Returns the home and the profile that a harness runs from, by the base address of its tree:
 * `<home>/profiles/<profile>/`.
 *
 * @returns no values if that is not a profile, for example in a tree that a person wrote by hand
 */
export function locateProfile(baseUrl: string | undefined): Pick<HostOptions, 'home' | 'profile'> {
  if (!baseUrl?.startsWith('file:')) return {}
  const profile = fileURLToPath(baseUrl).replace(/[/\\]+$/, '')
  if (basename(dirname(profile)) !== 'profiles') return {}
  return { home: dirname(dirname(profile)), profile: basename(profile) }
}

/** Returns the package of a module by its address; null if it is not in a package. */
export function packageOf(moduleUrl: string): string | null {
  return /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(moduleUrl)?.[1] ?? null
}

/**
 * Returns true if an ended harness left an unfinished job in a profile of this harness's home, so that the store is
 * needed at once. Also returns true if only the store itself can find the home.
 *
 * @param baseUrl address of the base folder of the tree
 * @param config of the store's row, which may name another home
 */
export async function hasUnfinishedJob(baseUrl: string | undefined, config: unknown): Promise<boolean> {
  const { home } = locateProfile(baseUrl)
  if (home === undefined || (config as { readonly home?: unknown } | null | undefined)?.home !== undefined) return true
  const profiles = join(home, 'profiles')
  const names = await readdir(profiles).catch((): string[] => [])
  const unfinished = await Promise.all(names.map((name) => profileHasUnfinishedJob(join(profiles, name))))
  return unfinished.includes(true)
}

/**
 * Returns true if this harness may be another version than the one that ran from the profile when the store last looked.
 *
 * @param baseUrl address of the base folder of the tree
 */
export async function mayHaveUpgraded(baseUrl: string | undefined): Promise<boolean> {
  const { home, profile } = locateProfile(baseUrl)
  if (home === undefined || profile === undefined) return false
  const { argv, execPath } = process
  const program = programOf({ argv, execPath, isPacked: isSea() })
  return profileMayHaveUpgraded(home, join(home, 'profiles', profile), program)
}
