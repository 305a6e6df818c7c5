import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { placeOf } from './place.ts'

/** Names of what a job leaves in its profile while it is not over: this, and those that go on after a dot. */
const LEFT = '.plugmark'

/**
 * Whether a harness that ended left a job unfinished in a profile of the home that this one runs from, so that the store
 * is needed at once. Where only the store itself knows the home, it is.
 *
 * @param baseUrl address of the folder that the tree is anchored at
 * @param config of the store's row, which may name another home
 */
export async function hasUnfinished(baseUrl: string | undefined, config: unknown): Promise<boolean> {
  const { home } = placeOf(baseUrl)
  if (home === undefined || (config as { readonly home?: unknown } | null | undefined)?.home !== undefined) return true
  const profiles = join(home, 'profiles')
  const names = await Promise.all((await namesIn(profiles)).map((name) => namesIn(join(profiles, name))))
  return names.flat().some((name) => name === LEFT || name.startsWith(`${LEFT}.`))
}

/** None in what cannot be read. */
const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])
