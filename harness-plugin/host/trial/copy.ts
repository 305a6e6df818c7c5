import {
  constants,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rm,
  rmdir,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { profileDirectory } from '../profile/home.ts'
import { movePaths } from '../profile/move-paths.ts'
import { PROFILE_FILES } from '../profile/state.ts'

/**
 * Home of a job's trial. It lies in the harness's own home, so that the package manager links from the same store; not in
 * the profile, from where modules outside the copy would be found.
 */
export const trialHome = (home: string, job: string): string => join(home, '.plugmark', job)

export async function removeTrial(home: string, job: string): Promise<void> {
  const directory = trialHome(home, job)
  await rm(directory, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
  // Another job's may be beside it.
  await rmdir(dirname(directory)).catch(() => {})
}

/** What the harness reads from its home when it starts, besides the profile (dsh 0.1.0-rc.8). */
const HOME_FILES = ['settings.yaml', 'cordis.patch.yml', '.env']

/**
 * Names at the top of a profile that neither the package manager nor the harness reads: what they write themselves (dsh
 * 0.1.0-rc.8 to 0.2.1-rc.2), and what other programs keep there.
 */
const EXCLUDED = new Set(
  [
    ['node_modules', 'cordis.yml', '.plugin-manager', '.dsh-module-fallback', 'package.json.lock'],
    ['.git', '.cache', 'cache', 'logs', 'sessions', 'storages'],
  ].flat(),
)
const isCopied = (name: string): boolean => !EXCLUDED.has(name) && !name.startsWith('.plugmark')

/** Limit of one entry, bytes: hooks, patches and packages of one's own are smaller. */
const MAX_SIZE = 200_000_000
/** What a small file or a folder takes on disk, bytes. */
const BLOCK_SIZE = 4096

export interface CopiedProfile {
  readonly directory: string
  /** Names in the profile that are not copied because they are too big. */
  readonly leftOut: readonly string[]
}

/**
 * Copies a profile into a home of its own, with hooks, patches, rows and packages that lie in it. node_modules is not
 * copied unless that is asked for: the package manager fills it from its store.
 *
 * @param to the new home; it must not be there yet
 */
export async function copyProfile(
  home: string,
  profile: string,
  to: string,
  { modules = false }: { readonly modules?: boolean } = {},
): Promise<CopiedProfile> {
  const [from, copy] = [profileDirectory(home, profile), profileDirectory(to, profile)]
  // Readable for this user only: it holds their settings, and later the token of the trial's harness.
  await mkdir(to, { recursive: true, mode: 0o700 })
  await mkdir(copy, { recursive: true })
  await Promise.all([
    ...HOME_FILES.map((file) => copyFile(join(home, file), join(to, file)).catch(ignoreInaccessible)),
    // Of links, what they lead to: the copies are written to.
    ...PROFILE_FILES.map((file) => copyFile(join(from, file), join(copy, file)).catch(ignoreMissing)),
  ])
  const leftOut: string[] = []
  const files: readonly string[] = PROFILE_FILES
  for (const name of (await readdir(from)).filter((name) => isCopied(name) && !files.includes(name))) {
    if ((await sizeOf(join(from, name))) > MAX_SIZE) leftOut.push(name)
    else await copyEntry(name, from, copy)
  }
  if (modules) await copyEntry('node_modules', from, copy)
  await Promise.all(
    ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'].map((file) => rewritePaths(join(copy, file), from)),
  )
  return { directory: copy, leftOut }
}

/** Size of a file, or of all that is in a folder; of one that is too big, anything above the limit. */
async function sizeOf(path: string): Promise<number> {
  const found = await lstat(path).catch(ignoreInaccessible)
  if (!found?.isDirectory()) return Math.max(found?.size ?? 0, BLOCK_SIZE)
  let size = BLOCK_SIZE
  for (const name of (await readdir(path).catch(ignoreInaccessible)) ?? []) {
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
  const found = await lstat(source).catch(ignoreInaccessible)
  if (found?.isDirectory()) {
    const names = (await readdir(source).catch(ignoreInaccessible)) ?? []
    await mkdir(target)
    for (const name of names) await copyEntry(join(path, name), from, copy)
  } else if (found?.isSymbolicLink()) {
    const place = resolve(dirname(source), await readlink(source))
    const inside = relative(from, place)
    const isInside = inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)
    await symlink(isInside ? relative(dirname(target), join(copy, inside)) || '.' : place, target)
  } else if (found?.isFile()) {
    await copyFile(source, target, constants.COPYFILE_FICLONE).catch(ignoreInaccessible)
  }
}

/**
 * Rewrites paths of dependencies, which are relative to the file, so that they lead to the same places from the copy, or
 * into the copy where they led into the profile. A lockfile has relative paths even for what package.json names by an
 * absolute one, and so has the list of allowed builds; pnpm ignores a lockfile that does not agree with them.
 */
async function rewritePaths(file: string, from: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => null)
  if (text === null) return
  const moved = movePaths(text, from, dirname(file))
    .replaceAll(`file:${from}/`, `file:${dirname(file)}/`)
    .replaceAll(`link:${from}/`, `link:${dirname(file)}/`)
    // Linked packages would share files with the profile; see `homeEnvironment`.
    .replace(/^packageImportMethod\s*:.*$/m, 'packageImportMethod: clone-or-copy')
  if (moved !== text) await writeFile(file, moved)
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

/** Also what this user may not read: the harness cannot read it either. */
function ignoreInaccessible(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'EACCES' && error.code !== 'EPERM') ignoreMissing(error)
}
