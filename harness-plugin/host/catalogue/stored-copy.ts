/** The stored copy of a directory: where its files are, and which version of them there is. */
import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Returns the folder of the copy: each pair of a directory and a program that install commands name has its own. */
export function copyFolder(
  stateDir: string,
  { baseUrl, cli }: { readonly baseUrl: string; readonly cli: string },
): string {
  const name = createHash('sha256').update(`${baseUrl} ${cli}`).digest('hex').slice(0, 16)
  return join(stateDir, name)
}

/** Path of the records in the folder of a copy. The index cache has its own files there. */
export const recordsFile = (folder: string): string => join(folder, 'listings.json')

/** Returns a value that differs after each write of a file by any process; null when there is no file. */
export async function versionOf(path: string): Promise<string | null> {
  try {
    const { ino, mtimeMs, size } = await stat(path)
    return `${ino} ${mtimeMs} ${size}`
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw cause
  }
}

/** Returns a value that differs after each write of a file of the copy; null when one is missing. */
export async function copyVersion(folder: string): Promise<string | null> {
  const paths = [join(folder, 'index.json'), join(folder, 'state.json'), recordsFile(folder)]
  const versions = await Promise.all(paths.map(versionOf))
  return versions.includes(null) ? null : versions.join(' ')
}
