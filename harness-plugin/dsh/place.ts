import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { HostOptions } from '../host/index.ts'

/**
 * Home and profile that a harness runs from, by the address its tree is anchored at: `<home>/profiles/<profile>/`.
 *
 * @returns nothing where that is no profile, as in a tree that somebody put together by hand
 */
export function placeOf(baseUrl: string | undefined): Pick<HostOptions, 'home' | 'profile'> {
  if (!baseUrl?.startsWith('file:')) return {}
  const profile = fileURLToPath(baseUrl).replace(/[/\\]+$/, '')
  if (basename(dirname(profile)) !== 'profiles') return {}
  return { home: dirname(dirname(profile)), profile: basename(profile) }
}

/** The package that a module is installed in, by its own address; null for one that is in none. */
export function packageOf(moduleUrl: string): string | null {
  return /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(moduleUrl)?.[1] ?? null
}
