import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { retryWhileOpen } from './retry-while-open.ts'
import { syncFolder } from './sync-disk.ts'

export interface WriteOptions {
  /** Path of the new file until it is complete, on the same file system. @default `<path>.<uuid>.tmp` */
  readonly temporary?: string
  /** Permissions of the new file. @default by the umask */
  readonly mode?: number
}

/**
 * Writes a file, and creates its folder. A crash at any moment leaves either the old file or the new one. A power cut
 * afterwards does not undo it.
 *
 * @throws when it cannot be written; the old file stays
 */
export async function writeFileAtomic(
  path: string,
  data: string | Uint8Array,
  { temporary = `${path}.${randomUUID()}.tmp`, mode }: WriteOptions = {},
): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  try {
    // With its permissions from the start: the content may be a secret.
    const file = await open(temporary, 'wx', mode)
    try {
      await file.writeFile(data)
      if (mode !== undefined) await file.chmod(mode)
      // Otherwise a power cut after the rename could leave an empty file under the final name.
      await file.sync()
    } finally {
      await file.close()
    }
    await retryWhileOpen(() => rename(temporary, path))
  } catch (cause) {
    await rm(temporary, { force: true })
    throw cause
  }
  await syncFolder(dirname(path))
}
