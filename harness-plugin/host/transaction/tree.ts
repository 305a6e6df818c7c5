import { constants, copyFile, link, lstat, mkdir, readdir, readlink, symlink, utimes } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Puts a directory's contents into a new one on the same file system, links as links.
 *
 * A file that has another name already is the package manager's store's, which nobody writes into in place: it gets
 * one more name. Any other file may be written in place and is copied (where the file system can, by reference).
 */
export async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to)
  const entries = await readdir(from, { withFileTypes: true })
  await Promise.all(
    entries.map(async (entry) => {
      const [source, target] = [join(from, entry.name), join(to, entry.name)]
      if (entry.isDirectory()) await copyTree(source, target)
      else if (entry.isSymbolicLink()) await symlink(await readlink(source), target)
      else if (entry.isFile()) await copyOrLink(source, target)
    }),
  )
}

async function copyOrLink(source: string, target: string): Promise<void> {
  const { nlink, atime, mtime } = await lstat(source)
  if (nlink > 1) return link(source, target)
  await copyFile(source, target, constants.COPYFILE_FICLONE)
  await utimes(target, atime, mtime)
}

/**
 * Whether anything in a directory changed at or after this time: content, mode, names. Nobody can set the time that a
 * file system keeps for that.
 *
 * @param at that time of a file that was made then, ms
 */
export async function isChangedSince(directory: string, at: number): Promise<boolean> {
  const { ctimeMs } = await lstat(directory)
  if (ctimeMs >= at) return true
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    if (entry.isDirectory() ? await isChangedSince(path, at) : (await lstat(path)).ctimeMs >= at) return true
  }
  return false
}
