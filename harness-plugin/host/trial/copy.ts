import { copyFile, mkdir, readdir, readFile, realpath, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { copyTree, ignoreMissing, ignoreUnreadable, movePaths, treeSize } from '../profile/files.ts'
import { profileDirectory } from '../profile/home.ts'
import { PROFILE_FILES } from '../profile/state.ts'

/**
 * Returns the home of a job's trial. It is inside the harness's home, so that the package manager uses the same store,
 * and outside the profile, because Node would find the profile's modules from a copy inside it.
 */
export const trialHome = (home: string, job: string): string => join(home, '.plugmark', job)

export async function removeTrial(home: string, job: string): Promise<void> {
  const directory = trialHome(home, job)
  await rm(directory, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
  // The trial of another job may be beside it.
  await rmdir(dirname(directory)).catch(() => {})
}

/**
 * Removes the trials of jobs without a journal in any profile: a journal is written before the trial's folder is
 * created, and deleted after the folder is removed.
 *
 * @param isJob resolves with true for a job that has a journal in a profile
 * @returns the ids of those jobs
 */
export async function removeLeftTrials(home: string, isJob: (id: string) => Promise<boolean>): Promise<string[]> {
  const removed: string[] = []
  for (const id of await readdir(join(home, '.plugmark')).catch((): string[] => [])) {
    if (!/^[0-9a-f-]{36}$/.test(id) || (await isJob(id))) continue
    await removeTrial(home, id)
    removed.push(id)
  }
  return removed
}

/** Files that the harness reads from its home when it starts, besides the profile (dsh 0.1.0-rc.8). */
const HOME_FILES = ['settings.yaml', 'cordis.patch.yml', '.env']

/**
 * Names at the top of a profile that neither the package manager nor the harness needs: files that they write
 * themselves (dsh 0.1.0-rc.8 to 0.2.1-rc.2), and files of other programs.
 */
const EXCLUDED = new Set(
  [
    ['node_modules', 'cordis.yml', '.plugin-manager', '.dsh-module-fallback', 'package.json.lock'],
    ['.git', '.cache', 'cache', 'logs', 'sessions', 'storages'],
  ].flat(),
)
/** Returns true for names at the top of a profile that belong into a copy of it, besides node_modules. */
export const isCopied = (name: string): boolean => !EXCLUDED.has(name) && !name.startsWith('.plugmark')

/** Size limit of one entry, in bytes: a person's own hooks, patches and packages are smaller. */
const MAX_SIZE = 200_000_000

export interface CopiedProfile {
  readonly directory: string
  /** Names in the profile that were not copied because they are too big. */
  readonly leftOut: readonly string[]
}

/**
 * Copies a profile into a home of its own, with hooks, patches, rows and packages inside it. Does not copy node_modules
 * by default, because the package manager fills it from its store.
 *
 * @param to the new home, which must not exist yet
 * @param options.modules true to copy node_modules too
 * @param options.signal stops the copying; its reason is thrown
 */
export async function copyProfile(
  home: string,
  profile: string,
  to: string,
  { modules = false, signal }: { readonly modules?: boolean; readonly signal?: AbortSignal } = {},
): Promise<CopiedProfile> {
  // A profile may be a link. The package manager resolves relative paths from its target.
  const named = profileDirectory(home, profile)
  const from = await realpath(named)
  // Readable for this user only: it holds their settings, and later the token of the trial's harness.
  await mkdir(join(to, 'tmp'), { recursive: true, mode: 0o700 })
  await mkdir(profileDirectory(to, profile), { recursive: true })
  const copy = await realpath(profileDirectory(to, profile))
  await Promise.all([
    ...HOME_FILES.map((file) => copyFile(join(home, file), join(to, file)).catch(ignoreUnreadable)),
    // Copy the targets of links, because the trial writes to the copies.
    ...PROFILE_FILES.map((file) => copyFile(join(from, file), join(copy, file)).catch(ignoreMissing)),
  ])
  // A link within the profile leads to the same place in the copy; any other link keeps its target.
  const mapLink = (target: string, source: string, link: string) => {
    const place = resolve(dirname(source), target)
    const inside = relative(from, place)
    const isInside = inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)
    return isInside ? relative(dirname(link), join(copy, inside)) || '.' : place
  }
  const copyIntoCopy = (name: string) =>
    copyTree(join(from, name), join(copy, name), { signal, mapLink, skips: 'unreadable' })
  const leftOut: string[] = []
  const files: readonly string[] = PROFILE_FILES
  for (const name of (await readdir(from)).filter((name) => isCopied(name) && !files.includes(name))) {
    if ((await treeSize(join(from, name), { limit: MAX_SIZE, ...(signal && { signal }) })) > MAX_SIZE)
      leftOut.push(name)
    else await copyIntoCopy(name)
  }
  if (modules) await copyIntoCopy('node_modules')
  await Promise.all(
    ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'].map((file) =>
      rewritePaths(join(copy, file), from, named),
    ),
  )
  return { directory: copy, leftOut }
}

/**
 * Rewrites paths of dependencies, which are relative to the file, so that they keep their targets, or lead into the
 * copy if they led into the profile. A lockfile has relative paths even for absolute ones in package.json, and so has
 * the list of allowed builds; pnpm ignores a lockfile that does not agree with them.
 */
async function rewritePaths(file: string, from: string, named: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => null)
  if (text === null) return
  let moved = movePaths(text, from, dirname(file))
  for (const path of new Set([named, from]))
    moved = moved
      .replaceAll(`file:${path}/`, `file:${dirname(file)}/`)
      .replaceAll(`link:${path}/`, `link:${dirname(file)}/`)
  // Linked packages would share files with the profile; see `homeEnvironment`.
  moved = moved.replace(/^packageImportMethod\s*:.*$/m, 'packageImportMethod: clone-or-copy')
  if (moved !== text) await writeFile(file, moved)
}
