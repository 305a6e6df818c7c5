import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Home } from './home.ts'

/** The store's package, and the row that its patch puts into a tree. */
export const STORE = 'dsh-plugin-plugmark'

/** Puts the store into a home's profile, as a person would, and configures it by the profile's own patch. */
export async function addStore(
  home: Home,
  tarball: string,
  config: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await dsh(home, 'plugin', '--profile', home.profile, 'add', tarball)
  // JSON is YAML.
  const patch = JSON.stringify([{ id: STORE, config }])
  await writeFile(join(home.home, 'profiles', home.profile, 'cordis.patch.yml'), patch)
}

/** `dsh <args>`, as a person would type it. */
export async function dsh({ home, command, env }: Home, ...args: string[]): Promise<string> {
  const [program = '', ...leading] = command
  return (await promisify(execFile)(program, [...leading, ...args], { cwd: home, env })).stdout
}
