import { constants, copyFile, lstat, mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { profileDirectory } from '../profile/home.ts'
import { movePaths } from '../profile/move-paths.ts'
import { PROFILE_FILES } from '../profile/state.ts'

/** What the harness reads from its home when it starts, besides the profile (dsh 0.1.0-rc.8). */
const HOME_FILES = ['settings.yaml', 'cordis.patch.yml', '.env']

/**
 * What neither the package manager nor the harness reads from the top of a profile: what they write there themselves
 * (dsh 0.1.0-rc.8 to 0.2.1-rc.2), and what other programs keep.
 */
const NOT_READ = new Set(
  [
    ['node_modules', 'cordis.yml', '.plugin-manager', '.dsh-module-fallback', 'package.json.lock'],
    ['.git', '.cache', 'cache', 'logs', 'sessions', 'storages'],
  ].flat(),
)
const isRead = (name: string): boolean => !NOT_READ.has(name) && !name.startsWith('.plugmark')

/** More than hooks, patches, rows or packages of one's own are, bytes; a small file or a folder takes a block. */
const MAX_SIZE = 200_000_000
const BLOCK_SIZE = 4096

export interface CopiedProfile {
  readonly directory: string
  /** Names in the profile that were left out because they are too big. */
  readonly leftOut: readonly string[]
}

/**
 * Copies a profile into a home of its own, without node_modules: the package manager fills that from its store. Hooks,
 * patches, rows and packages that lie in the profile come along.
 *
 * @param to the new home; it must not be there yet
 */
export async function copyProfile(home: string, profile: string, to: string): Promise<CopiedProfile> {
  const [from, copy] = [profileDirectory(home, profile), profileDirectory(to, profile)]
  // Of this person alone: it holds their settings, and later the way into the harness that is tried.
  await mkdir(to, { recursive: true, mode: 0o700 })
  await mkdir(copy, { recursive: true })
  await Promise.all([
    ...HOME_FILES.map((file) => copyFile(join(home, file), join(to, file)).catch(unlessOutOfReach)),
    // Their contents, where they are links: they are written to.
    ...PROFILE_FILES.map((file) => copyFile(join(from, file), join(copy, file)).catch(unlessMissing)),
  ])
  const leftOut: string[] = []
  const files: readonly string[] = PROFILE_FILES
  for (const name of (await readdir(from)).filter((name) => isRead(name) && !files.includes(name))) {
    if ((await sizeOf(join(from, name))) > MAX_SIZE) leftOut.push(name)
    else await copyEntry(name, from, copy)
  }
  await Promise.all(
    ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'].map((file) => leadBack(join(copy, file), from)),
  )
  return { directory: copy, leftOut }
}

/** Size of a file, or of all that is in a folder; of one that is too big, anything above the limit. */
async function sizeOf(path: string): Promise<number> {
  const found = await lstat(path).catch(unlessOutOfReach)
  if (!found?.isDirectory()) return Math.max(found?.size ?? 0, BLOCK_SIZE)
  let size = BLOCK_SIZE
  for (const name of (await readdir(path).catch(unlessOutOfReach)) ?? []) {
    size += await sizeOf(join(path, name))
    if (size > MAX_SIZE) break
  }
  return size
}

/**
 * Copies a file, a folder or a link, and nothing else. Links stay links: one within the profile leads to the same place in
 * the copy, another to where it led.
 */
async function copyEntry(path: string, from: string, copy: string): Promise<void> {
  const [source, target] = [join(from, path), join(copy, path)]
  const found = await lstat(source).catch(unlessOutOfReach)
  if (found?.isDirectory()) {
    const names = (await readdir(source).catch(unlessOutOfReach)) ?? []
    await mkdir(target)
    for (const name of names) await copyEntry(join(path, name), from, copy)
  } else if (found?.isSymbolicLink()) {
    const place = resolve(dirname(source), await readlink(source))
    const inside = relative(from, place)
    const isInside = inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)
    await symlink(isInside ? relative(dirname(target), join(copy, inside)) || '.' : place, target)
  } else if (found?.isFile()) {
    await copyFile(source, target, constants.COPYFILE_FICLONE).catch(unlessOutOfReach)
  }
}

/**
 * Relative paths of dependencies are seen from where the file lies, and would lead elsewhere from the copy. A lock has
 * them even for packages that a package.json names by their whole path, and builds are allowed under such an id. They
 * must agree, or the lock is not believed. What lies in the profile lies in the copy, and is meant there.
 */
async function leadBack(file: string, from: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => null)
  if (text === null) return
  const moved = movePaths(text, from, dirname(file))
    .replaceAll(`file:${from}/`, `file:${dirname(file)}/`)
    .replaceAll(`link:${from}/`, `link:${dirname(file)}/`)
  if (moved !== text) await writeFile(file, moved)
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

/** What this person may not read, the harness cannot read either. */
function unlessOutOfReach(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'EACCES' && error.code !== 'EPERM') unlessMissing(error)
}
