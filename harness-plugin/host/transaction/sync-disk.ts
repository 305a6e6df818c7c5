import { execFile } from 'node:child_process'
import { lstat, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '@plugmark/shared/file-lock'

/** Time limit in ms. A disk that takes longer hangs or is very busy; then the job continues. */
const LIMIT_MS = 60_000

/**
 * Writes everything in these folders to the disk, so that it survives a power cut. On Linux uses one call of `sync -f`,
 * which takes milliseconds for 10,000 files; elsewhere syncs file by file. Optional: continues if the system refuses.
 */
export async function syncToDisk(...folders: readonly string[]): Promise<void> {
  if (process.platform === 'linux' && (await syncFileSystems(folders))) return
  for (const folder of folders) await syncTree(folder).catch(() => {})
}

const syncFileSystems = (paths: readonly string[]): Promise<boolean> =>
  new Promise((resolve) => {
    execFile('sync', ['-f', ...paths], { timeout: LIMIT_MS }, (error) => resolve(!error || error.killed === true))
  })

async function syncTree(path: string): Promise<void> {
  const found = await lstat(path)
  if (found.isDirectory()) {
    for (const name of await readdir(path)) await syncTree(join(path, name)).catch(() => {})
    await syncFolder(path)
  } else if (found.isFile()) {
    // Windows syncs only files that are open for writing.
    const file = await open(path, process.platform === 'win32' ? 'r+' : 'r')
    await file.sync().finally(() => file.close())
  }
}
