import { execFile } from 'node:child_process'
import { lstat, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { platform } from 'node:process'

/** A disk that takes longer hangs or is very busy; then the caller continues. */
const SYNC_TIMEOUT_MS = 60_000

/**
 * Writes everything in these folders to the disk, so that it survives a power cut. On Linux uses one call of `sync -f`,
 * which takes milliseconds for 10,000 files; elsewhere syncs file by file. Optional: continues if the system refuses.
 */
export async function syncToDisk(...folders: readonly string[]): Promise<void> {
  if (platform === 'linux' && (await syncFileSystems(folders))) return
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
    const file = await open(path, platform === 'win32' ? 'r+' : 'r')
    await file.sync().finally(() => file.close())
  }
}

/** Makes the names in a folder survive a power cut. Windows cannot open a folder, and needs no such call. */
export async function syncFolder(folder: string): Promise<void> {
  if (platform === 'win32') return
  const handle = await open(folder, 'r').catch(() => null)
  // Some network file systems refuse it.
  await handle?.sync().catch(() => {})
  await handle?.close().catch(() => {})
}
