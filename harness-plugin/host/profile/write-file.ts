import { copyFile, link, lstat, mkdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder, writeFileAtomic } from '@plugmark/shared/file-lock'
import { ignoreMissing } from './copy-tree.ts'
import { scratchFolder } from './state-folder.ts'

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
