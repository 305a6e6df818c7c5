import {
  constants,
  copyFile,
  link,
  lstat,
  mkdir,
  readdir,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { syncFolder, writeFileAtomic } from '@plugmark/shared/file-lock'
import { scratchFolder } from './state-folder.ts'

export interface CopyOptions {
  /** Stops the copying between two files; its reason is thrown. */
  readonly signal?: AbortSignal | undefined
  /** Returns the target of a link's copy. @default the same target */
  readonly mapLink?: (target: string, source: string, copy: string) => string
  /** Skips entries that this user may not read or that vanish meanwhile, instead of throwing. @default false */
  readonly skipsUnreadable?: boolean
}

/**
 * Copies a file, a link or a folder with its contents, except sockets and the like. Links stay links. Clones files if
 * the file system supports that (btrfs, XFS, APFS), otherwise copies them. Never hard-links: a harness that runs from
 * the profile (0.2) treats the new ctime as a change, and reloads the part of the page that the file belongs to.
 *
 * When it throws, no copy of a file is still running.
 */
export async function copyTree(source: string, target: string, options: CopyOptions = {}): Promise<void> {
  options.signal?.throwIfAborted()
  const handle = options.skipsUnreadable ? ignoreUnreadable : rethrow
  const found = await lstat(source).catch(handle)
  if (found?.isFile()) await copyFile(source, target, constants.COPYFILE_FICLONE).catch(handle)
  else if (found?.isSymbolicLink()) await copyLink(source, target, options)
  else if (found?.isDirectory()) await copyFolder(source, target, options)
}

async function copyFolder(source: string, target: string, options: CopyOptions): Promise<void> {
  const handle = options.skipsUnreadable ? ignoreUnreadable : rethrow
  await mkdir(target)
  const entries = (await readdir(source, { withFileTypes: true }).catch(handle)) ?? []
  const copies = entries.map(async (entry) => {
    const [from, to] = [join(source, entry.name), join(target, entry.name)]
    options.signal?.throwIfAborted()
    if (entry.isFile()) await copyFile(from, to, constants.COPYFILE_FICLONE).catch(handle)
    else if (entry.isSymbolicLink()) await copyLink(from, to, options)
  })
  // Waits for all of them, so that a failed copy can be removed.
  const failed = (await Promise.allSettled(copies)).find((copy) => copy.status === 'rejected')
  if (failed) throw failed.reason
  for (const entry of entries)
    if (entry.isDirectory()) await copyFolder(join(source, entry.name), join(target, entry.name), options)
}

async function copyLink(source: string, target: string, { mapLink = same }: CopyOptions): Promise<void> {
  const leadsTo = mapLink(await readlink(source), source, target)
  await createLink(leadsTo, target)
}

const same = (target: string): string => target

/**
 * Creates a symbolic link; for a folder on Windows a junction, as package managers do, because creating a symbolic link
 * needs a privilege there that most people lack (symlink-dir of pnpm; Node.js makes the target absolute).
 */
async function createLink(target: string, path: string): Promise<void> {
  if (process.platform !== 'win32') return symlink(target, path)
  const found = await stat(resolve(dirname(path), target)).catch(() => null)
  await symlink(target, path, found === null || found.isDirectory() ? 'junction' : 'file')
}

/**
 * Returns true if content, mode or name of a file, or of anything in a folder, changed at or after a time. Compares the
 * ctime, which no program can set.
 */
export async function isChangedSince(path: string, timeMs: number): Promise<boolean> {
  const found = await lstat(path)
  if (found.ctimeMs >= timeMs) return true
  if (!found.isDirectory()) return false
  const entries = (await readdir(path)).map((name) => isChangedSince(join(path, name), timeMs))
  return (await Promise.all(entries)).includes(true)
}

/** Returns the size of the files in a folder in bytes, for a check of free space. Stops above `limit`. */
export async function treeSize(
  path: string,
  { limit = Number.POSITIVE_INFINITY, signal }: { readonly limit?: number; readonly signal?: AbortSignal } = {},
): Promise<number> {
  signal?.throwIfAborted()
  const found = await lstat(path).catch(ignoreUnreadable)
  // A small file or a folder uses one block.
  let size = Math.max(found?.size ?? 0, BLOCK_BYTES)
  if (!found?.isDirectory()) return size
  const names = (await readdir(path).catch(ignoreUnreadable)) ?? []
  for (let at = 0; at < names.length && size <= limit; at += PARALLEL) {
    const some = names
      .slice(at, at + PARALLEL)
      .map((name) => treeSize(join(path, name), { limit, ...(signal && { signal }) }))
    for (const more of await Promise.all(some)) size += more
  }
  return size
}

const BLOCK_BYTES = 4096
const PARALLEL = 64

function rethrow(error: unknown): never {
  throw error
}

/** Returns undefined if the file does not exist, and throws any other error. */
export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

/** Like `ignoreMissing`, also for entries that this user may not read. */
export function ignoreUnreadable(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'EACCES' && error.code !== 'EPERM') ignoreMissing(error)
}

/**
 * Writes a file of a profile atomically: a crash leaves the old file or the new one. Keeps the mode of an existing
 * file, and writes to the target of a link.
 */
export async function writeProfileFile(profile: string, name: string, content: string | Buffer): Promise<void> {
  const target = join(profile, name)
  const found = await lstat(target).catch(ignoreMissing)
  if (found?.isSymbolicLink()) return writeFile(target, content)
  const options = { temporary: await scratchFile(profile, name), ...(found && { mode: found.mode & 0o7777 }) }
  await writeFileAtomic(target, content, options)
}

/**
 * Like `writeProfileFile`, with the bytes, times and mode of another file on the same file system.
 *
 * @param options.spends true if the other file is no longer needed; then this works on a full disk too
 */
export async function restoreProfileFile(
  profile: string,
  name: string,
  from: string,
  { spends }: { readonly spends: boolean },
): Promise<void> {
  const target = join(profile, name)
  const found = await lstat(target).catch(ignoreMissing)
  // Write through the link: its target may be a person's own file.
  if (found?.isSymbolicLink()) return copyFile(from, target)
  const temporary = await scratchFile(profile, name)
  // A hard link takes no space.
  const copy = () => copyFileIfThere(from, temporary)
  await (spends ? link(from, temporary).catch(copy) : copy())
  await rename(temporary, target)
  await syncFolder(dirname(target))
}

/** Copies a file with its times, if it exists. */
export async function copyFileIfThere(from: string, to: string): Promise<void> {
  const times = await stat(from).catch(ignoreMissing)
  if (!times) return
  await copyFile(from, to)
  await utimes(to, times.atime, times.mtime)
}

async function scratchFile(profile: string, name: string): Promise<string> {
  await mkdir(scratchFolder(profile), { recursive: true })
  const path = join(scratchFolder(profile), name)
  await rm(path, { force: true })
  return path
}

/**
 * Rewrites relative paths of `file:` and `link:` that lead out of a directory, so that they lead to the same targets
 * from another one. Changes only their leading `../`.
 *
 * @param from the directory that they are relative to
 * @param to the directory that they will be relative to
 */
export function movePaths(text: string, from: string, to: string): string {
  if (from === to) return text
  return text.replace(
    /(?<=\b(?:file|link):)(?:\.\/)?(?:\.\.\/)+/g,
    (steps) => `${relative(to, resolve(from, steps)).replaceAll('\\', '/')}/`,
  )
}
