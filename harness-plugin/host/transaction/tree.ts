import { constants, copyFile, lstat, mkdir, readdir, readlink, symlink, utimes } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Copies a directory's contents into a new one on the same file system, links as links; where the file system can, by
 * reference. No file gets a second name: a harness that runs from it (0.2) takes that for a change, and loads the part
 * of the page that the file belongs to anew.
 */
export async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to)
  const entries = await readdir(from, { withFileTypes: true })
  await Promise.all(
    entries.map(async (entry) => {
      const [source, target] = [join(from, entry.name), join(to, entry.name)]
      if (entry.isDirectory()) await copyTree(source, target)
      else if (entry.isSymbolicLink()) await symlink(await readlink(source), target)
      else if (entry.isFile()) await copy(source, target)
    }),
  )
}

async function copy(source: string, target: string): Promise<void> {
  const { atime, mtime } = await lstat(source)
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
