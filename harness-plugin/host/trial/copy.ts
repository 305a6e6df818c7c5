import { copyFile, mkdir, readdir, readFile, realpath, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { copyTree, ignoreMissing, ignoreUnreadable, treeSize } from '../profile/copy-tree.ts'
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

/**
 * Removes the trials of jobs that no profile has a journal of: a journal is written before the trial's folder is made, and
 * deleted after that is removed.
 *
 * @param isJob true for a job that a profile has a journal of
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
 * @param options.modules true to copy node_modules too
 * @param options.signal ends the copying; its reason is thrown
 */
export async function copyProfile(
  home: string,
  profile: string,
  to: string,
  { modules = false, signal }: { readonly modules?: boolean; readonly signal?: AbortSignal } = {},
): Promise<CopiedProfile> {
  // A profile may be a link. The package manager resolves relative paths from where it leads.
  const named = profileDirectory(home, profile)
  const from = await realpath(named)
  // Readable for this user only: it holds their settings, and later the token of the trial's harness.
  await mkdir(join(to, 'tmp'), { recursive: true, mode: 0o700 })
  await mkdir(profileDirectory(to, profile), { recursive: true })
  const copy = await realpath(profileDirectory(to, profile))
  await Promise.all([
    ...HOME_FILES.map((file) => copyFile(join(home, file), join(to, file)).catch(ignoreUnreadable)),
    // Of links, what they lead to: the copies are written to.
    ...PROFILE_FILES.map((file) => copyFile(join(from, file), join(copy, file)).catch(ignoreMissing)),
  ])
  // A link within the profile leads to the same place in the copy, another to where it led.
  const mapLink = (target: string, source: string, link: string) => {
    const place = resolve(dirname(source), target)
    const inside = relative(from, place)
    const isInside = inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)
    return isInside ? relative(dirname(link), join(copy, inside)) || '.' : place
  }
  const copyIntoCopy = (name: string) =>
    copyTree(join(from, name), join(copy, name), { signal, mapLink, skipsUnreadable: true })
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
 * Rewrites paths of dependencies, which are relative to the file, so that they lead to the same places from the copy, or
 * into the copy where they led into the profile. A lockfile has relative paths even for what package.json names by an
 * absolute one, and so has the list of allowed builds; pnpm ignores a lockfile that does not agree with them.
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
