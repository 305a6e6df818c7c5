import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { addPrepared, dsh, type Home } from './home.ts'

export { dsh } from './home.ts'

/** The store's package, and the row that its patch puts into a tree. */
export const STORE = 'dsh-plugin-plugmark'

/** Adds the store to a home's profile with `dsh plugin add`, and configures it in the profile's patch. */
export async function addStore(
  home: Home,
  tarball: string,
  config: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await addByHand(home, tarball)
  // JSON is YAML.
  const patch = JSON.stringify([{ id: STORE, config }])
  await writeFile(join(home.home, 'profiles', home.profile, 'cordis.patch.yml'), patch)
}

/** Adds plugins with `dsh plugin add`, so without the store and its trial. */
export async function addByHand(home: Home, ...specs: readonly string[]): Promise<void> {
  if (await addPrepared(home, specs)) return
  for (const spec of specs) await dsh(home, 'plugin', '--profile', home.profile, 'add', spec)
}

/** Removes a plugin with `dsh plugin remove`. */
export async function removeByHand(home: Home, name: string): Promise<void> {
  await dsh(home, 'plugin', '--profile', home.profile, 'remove', name)
}
