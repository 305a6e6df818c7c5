import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { platform as hostPlatform } from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'

interface WriteOptions {
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

/** A disk that takes longer hangs or is very busy; then the caller continues. */
const SYNC_TIMEOUT_MS = 60_000

/**
 * Writes everything in these folders to the disk, so that it survives a power cut. On Linux uses one call of `sync -f`,
 * which takes milliseconds for 10,000 files; elsewhere syncs file by file. Optional: continues if the system refuses.
 */
export async function syncToDisk(...folders: readonly string[]): Promise<void> {
  if (hostPlatform === 'linux' && (await syncFileSystems(folders))) return
  for (const folder of folders) await syncTree(folder).catch(() => {})
}

const syncFileSystems = (paths: readonly string[]): Promise<boolean> =>
  new Promise((resolve) => {
    execFile('sync', ['-f', ...paths], { timeout: SYNC_TIMEOUT_MS }, (error) =>
      resolve(!error || error.killed === true),
    )
  })

async function syncTree(path: string): Promise<void> {
  const found = await lstat(path)
  if (found.isDirectory()) {
    for (const name of await readdir(path)) await syncTree(join(path, name)).catch(() => {})
    await syncFolder(path)
  } else if (found.isFile()) {
    // Windows syncs only files that are open for writing.
    const file = await open(path, hostPlatform === 'win32' ? 'r+' : 'r')
    await file.sync().finally(() => file.close())
  }
}

/** Makes the names in a folder survive a power cut. Windows cannot open a folder, and needs no such call. */
export async function syncFolder(folder: string): Promise<void> {
  if (hostPlatform === 'win32') return
  const handle = await open(folder, 'r').catch(() => null)
  // Some network file systems refuse it.
  await handle?.sync().catch(() => {})
  await handle?.close().catch(() => {})
}

/** Errors with which Windows refuses to rename, replace or create a file that another program has open. */
const OPEN_ELSEWHERE = ['EPERM', 'EACCES', 'EBUSY']
const ATTEMPTS = 20
const PAUSE_MS = 50

/** Returns true for an error with which Windows refuses what another program has open. */
export const isOpenElsewhere = (error: unknown, platform: NodeJS.Platform = hostPlatform): boolean =>
  platform === 'win32' && OPEN_ELSEWHERE.includes((error as NodeJS.ErrnoException).code ?? '')

/**
 * Repeats work on a file for a second while Windows refuses it, because another program, such as a virus scanner or a
 * reader of the same file, has it open. Elsewhere an open file can be renamed, replaced and removed.
 *
 * @throws the last error
 */
export async function retryWhileOpen<T>(work: () => Promise<T>, platform = hostPlatform): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === ATTEMPTS || !isOpenElsewhere(error, platform)) throw error
      await pause(PAUSE_MS)
    }
  }
}
