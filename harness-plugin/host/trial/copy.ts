import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { profileDirectory } from '../profiles/home.ts'
import { movePaths } from '../profiles/move-paths.ts'
import { PROFILE_FILES } from '../profiles/state.ts'

/** What the harness reads from its home when it starts, besides the profile (dsh 0.1.0-rc.8). */
const HOME_FILES = ['settings.yaml', 'cordis.patch.yml', '.env']

/**
 * Copies a profile into a home of its own, without node_modules: the package manager fills that from its store.
 *
 * @param to the new home; it must not be there yet
 * @returns the copied profile's directory
 */
export async function copyProfile(home: string, profile: string, to: string): Promise<string> {
  const [from, copy] = [profileDirectory(home, profile), profileDirectory(to, profile)]
  await mkdir(copy, { recursive: true })
  await Promise.all([
    ...HOME_FILES.map((file) => copyIfThere(join(home, file), join(to, file))),
    ...PROFILE_FILES.map((file) => copyIfThere(join(from, file), join(copy, file))),
  ])
  await Promise.all(
    ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'].map((file) => leadBack(join(copy, file), from)),
  )
  return copy
}

/**
 * Relative paths of dependencies are seen from where the file lies, and would lead elsewhere from the copy. A lock has
 * them even for packages that a package.json names by their whole path, and builds are allowed under such an id. They
 * must agree, or the lock is not believed.
 */
async function leadBack(file: string, from: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => null)
  if (text === null) return
  const moved = movePaths(text, from, dirname(file))
  if (moved !== text) await writeFile(file, moved)
}

const copyIfThere = (from: string, to: string): Promise<void> =>
  copyFile(from, to).catch((error) => {
    if (error.code !== 'ENOENT') throw error
  })
