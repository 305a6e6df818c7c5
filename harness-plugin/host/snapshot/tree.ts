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
 * Whether a file, or anything in a directory, changed at or after this time: content, mode, names. Nobody can set the
 * time that a file system keeps for that.
 *
 * @param at that time of a file that was made then, ms
 */
export async function isChangedSince(path: string, at: number): Promise<boolean> {
  const found = await lstat(path)
  if (found.ctimeMs >= at) return true
  if (!found.isDirectory()) return false
  for (const name of await readdir(path)) if (await isChangedSince(join(path, name), at)) return true
  return false
}
