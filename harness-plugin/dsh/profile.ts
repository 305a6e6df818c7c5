import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { HostOptions } from '../host/index.ts'
import { hasUnfinishedJob as profileHasUnfinishedJob } from '../host/profile/state-folder.ts'

/**
 * Home and profile that a harness runs from, by the address its tree is anchored at: `<home>/profiles/<profile>/`.
 *
 * @returns nothing where that is no profile, as in a tree that somebody put together by hand
 */
export function locateProfile(baseUrl: string | undefined): Pick<HostOptions, 'home' | 'profile'> {
  if (!baseUrl?.startsWith('file:')) return {}
  const profile = fileURLToPath(baseUrl).replace(/[/\\]+$/, '')
  if (basename(dirname(profile)) !== 'profiles') return {}
  return { home: dirname(dirname(profile)), profile: basename(profile) }
}

/** The package that a module is installed in, by its own address; null for one that is in none. */
export function packageOf(moduleUrl: string): string | null {
  return /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(moduleUrl)?.[1] ?? null
}

/**
 * Returns true if a harness that ended left a job unfinished in a profile of the home that this one runs from, so that the
 * store is needed at once; also where only the store itself knows the home.
 *
 * @param baseUrl address of the folder that the tree is anchored at
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
