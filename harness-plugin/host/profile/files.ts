import type { Stats } from 'node:fs'
import {
  chmod,
  constants,
  copyFile,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { retryWhileOpen, syncFolder, writeFileAtomic } from '@plugmark/shared/file-lock'
import * as v from 'valibot'
import { parse } from 'yaml'
import { scratchFolder } from './state-folder.ts'

interface CopyOptions {
  /** Stops the copying between two files; its reason is thrown. */
  readonly signal?: AbortSignal | undefined
  /** Returns the target of a link's copy. @default the same target */
  readonly mapLink?: (target: string, source: string, copy: string) => string
  /**
   * Entries to skip instead of throwing: those that other programs delete meanwhile, or also those that this user may
   * not read. @default none
   */
  readonly skips?: 'vanished' | 'unreadable'
}

const FORGIVE = { none: rethrow, vanished: ignoreMissing, unreadable: ignoreUnreadable }

/**
 * Copies a file, a link or a folder with its contents and modes, except sockets and the like. Links stay links. Clones
 * files if the file system supports that (btrfs, XFS, APFS), otherwise copies them. Never hard-links: a harness that
 * runs from the profile (0.2) treats the new ctime as a change, and reloads the part of the page that the file belongs
 * to.
 *
 * When it throws, no copy of a file is still running.
 */
export async function copyTree(source: string, target: string, options: CopyOptions = {}): Promise<void> {
  options.signal?.throwIfAborted()
  const found = await lstat(source).catch(FORGIVE[options.skips ?? 'none'])
  if (found?.isFile()) await copyContent(source, target, options)
  else if (found?.isSymbolicLink()) await copyLink(source, target, options)
  else if (found?.isDirectory()) await copyFolder(source, target, found.mode, options)
}

async function copyContent(source: string, target: string, { skips }: CopyOptions): Promise<void> {
  await copyFile(source, target, constants.COPYFILE_FICLONE).catch(async (error) => {
    FORGIVE[skips ?? 'none'](error)
    // A missing target folder, or a file that another program replaced in this moment.
    if (error.code === 'ENOENT' && (await lstat(source).catch(ignoreMissing))) await copyFile(source, target)
  })
}

async function copyFolder(source: string, target: string, mode: number, options: CopyOptions): Promise<void> {
  await mkdir(target)
  const entries = (await readdir(source, { withFileTypes: true }).catch(FORGIVE[options.skips ?? 'none'])) ?? []
  const copies = entries.map(async (entry) => {
    const [from, to] = [join(source, entry.name), join(target, entry.name)]
    options.signal?.throwIfAborted()
    if (entry.isFile()) await copyContent(from, to, options)
    else if (entry.isSymbolicLink()) await copyLink(from, to, options)
  })
  // Waits for all of them, so that a failed copy can be removed.
  const failed = (await Promise.allSettled(copies)).find((copy) => copy.status === 'rejected')
  if (failed) throw failed.reason
  for (const entry of entries)
    if (entry.isDirectory()) await copyTree(join(source, entry.name), join(target, entry.name), options)
  // Writable for its owner, so that it can be deleted.
  await chmod(target, (mode & 0o7777) | 0o700)
}

async function copyLink(source: string, target: string, { mapLink = same, skips }: CopyOptions): Promise<void> {
  const found = await readlink(source).catch(FORGIVE[skips ?? 'none'])
  if (found !== undefined) await createLink(mapLink(found, source, target), target)
}

const same = (target: string): string => target

/**
 * Creates a symbolic link; for a folder on Windows a junction, as package managers do, because creating a symbolic link
 * needs a privilege there that most users lack (symlink-dir of pnpm; Node.js makes the target absolute).
 */
async function createLink(target: string, path: string): Promise<void> {
  if (process.platform !== 'win32') return symlink(target, path)
  // A link that leads nowhere.
  const found = await stat(resolve(dirname(path), target)).catch(() => null)
  await symlink(target, path, found === null || found.isDirectory() ? 'junction' : 'file')
}

/** A mark of a file, or of a folder and its entries by name. */
export type Marks =
  | number
  | string
  | { readonly own: number | string; readonly entries: Readonly<Record<string, Marks>> }

/**
 * Marks everything in a tree that this user may read. A file whose mark is another one has changed.
 *
 * @param markOf returns the mark of an entry
 * @param isIncluded returns false for entries to leave out, by their path in the tree
 * @returns undefined if nothing is there
 */
export async function markTree(
  path: string,
  markOf: (found: Stats) => number | string,
  isIncluded: (path: string) => boolean = () => true,
  inside = '',
): Promise<Marks | undefined> {
  const found = await lstat(path).catch(ignoreUnreadable)
  if (!found?.isDirectory()) return found && markOf(found)
  const names = ((await readdir(path).catch(ignoreUnreadable)) ?? []).filter((name) => isIncluded(join(inside, name)))
  const marks = await Promise.all(
    names.map(
      async (name) => [name, await markTree(join(path, name), markOf, isIncluded, join(inside, name))] as const,
    ),
  )
  const entries = Object.fromEntries(marks.filter((mark): mark is [string, Marks] => mark[1] !== undefined))
  return { own: markOf(found), entries }
}

/**
 * Marks an entry by its ctime, which no program can set: the mark is another one after any change of content, mode or
 * name. Compare it for equality, because a clock may have been set back.
 */
export const byChangeTime = ({ ctimeMs }: Stats): number => ctimeMs

/** Marks a file by its content's time and size. Unlike the ctime, they stay when another file is linked to it. */
export const byContent = (found: Stats): string =>
  found.isDirectory() ? '' : `${found.mtimeMs} ${found.size} ${found.mode}`

/** Returns the mark of one entry of a folder; undefined if the value has none. */
export const markOfEntry = (marks: unknown, name: string): unknown =>
  isFolder(marks) && Object.hasOwn(marks.entries, name) ? marks.entries[name] : undefined

const isFolder = (marks: unknown): marks is Extract<Marks, object> =>
  typeof marks === 'object' && marks !== null && 'entries' in marks && typeof marks.entries === 'object'

/** Returns the paths of the files that differ between two marks of a tree. */
export function changedPaths(before: unknown, now: unknown, path = ''): string[] {
  if (!isFolder(before) && !isFolder(now)) return before === now ? [] : [path]
  const names = new Set([before, now].flatMap((marks) => (isFolder(marks) ? Object.keys(marks.entries) : [])))
  return [...names].flatMap((name) => changedPaths(markOfEntry(before, name), markOfEntry(now, name), join(path, name)))
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

/** Returns undefined if the file exists already, and throws any other error. */
export function ignoreExisting(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'EEXIST') throw error
}

/**
 * Reads a YAML or JSON file: every JSON text is valid YAML.
 *
 * @returns null if it is missing, cannot be read or has another form
 */
export async function readYaml<T>(path: string, schema: v.GenericSchema<unknown, T>): Promise<T | null> {
  try {
    return v.parse(schema, parse(await readFile(path, 'utf8'), { logLevel: 'error' }) ?? {})
  } catch {
    return null
  }
}

/** Returns the names in a folder; none if it does not exist. */
export const readNames = async (folder: string): Promise<string[]> => (await readdir(folder).catch(ignoreMissing)) ?? []

/** Returns the contents of a file; null if it does not exist. */
export const readIfThere = async (path: string): Promise<Buffer | null> =>
  (await readFile(path).catch(ignoreMissing)) ?? null

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
 * @param options.canMove true if the other file is no longer needed; then this works on a full disk too
 */
export async function restoreProfileFile(
  profile: string,
  name: string,
  from: string,
  { canMove }: { readonly canMove: boolean },
): Promise<void> {
  const target = join(profile, name)
  const found = await lstat(target).catch(ignoreMissing)
  // Write through the link: its target may be the user's own file.
  if (found?.isSymbolicLink()) return copyFile(from, target)
  const temporary = await scratchFile(profile, name)
  // A hard link takes no space.
  const copy = () => copyFileIfThere(from, temporary)
  await (canMove ? link(from, temporary).catch(copy) : copy())
  await retryWhileOpen(() => rename(temporary, target))
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
  const path = join(scratchFolder(profile), basename(name))
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
