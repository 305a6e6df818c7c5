import { lstat, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { copyTree, ignoreMissing } from '../profile/copy-tree.ts'
import { PROFILE_FILES } from '../profile/state.ts'
import { scratchFolder, snapshotFolder, stateFolder } from '../profile/state-folder.ts'
import { copyFileIfThere } from '../profile/write-file.ts'
import { type Journal, writeJournal } from './journal.ts'
import { syncToDisk } from './sync-disk.ts'

/**
 * Copies a profile's files and its node_modules. The files alone are not enough: after a blocked build, or without a
 * lockfile, the package manager cannot repair node_modules from them, and keeps the plugin.
 *
 * @param signal stops the copying; its reason is thrown
 * @returns the journal with the snapshot; both are synced to the disk
 * @throws when the copy fails; then the profile must not be changed
 */
export async function takeSnapshot(profile: string, journal: Journal, signal: AbortSignal): Promise<Journal> {
  const folder = snapshotFolder(profile)
  const modules = join(profile, 'node_modules')
  await mkdir(folder)
  for (const file of PROFILE_FILES) await copyFileIfThere(join(profile, file), join(folder, file))
  const found = await lstat(modules).catch(ignoreMissing)
  // A rename could not restore the target of a link.
  if (found && !found.isDirectory()) throw new Error('node_modules is not a directory of its own')
  if (found) await copyTree(modules, join(folder, 'node_modules'), { signal })
  const names = found ? await readdir(join(folder, 'node_modules')) : null
  // On a file system of its own, node_modules may have another clock.
  const hasOneClock = !found || found.dev === (await stat(folder)).dev
  const takenAtMs = hasOneClock ? await timeAfterChanges(profile) : 0
  await syncToDisk(stateFolder(profile))
  const taken: Journal = { ...journal, snapshot: { modules: names, takenAtMs } }
  await writeJournal(profile, taken)
  return taken
}

/** Time limit of waiting for the clock, in ms; it advances every 1 to 10 ms. */
const CLOCK_LIMIT_MS = 2000

/**
 * Waits until the file system's clock is later than all changes so far.
 *
 * @returns that time, ms; 0 if the clock stands still
 */
async function timeAfterChanges(profile: string): Promise<number> {
  await mkdir(scratchFolder(profile), { recursive: true })
  const file = join(scratchFolder(profile), 'clock')
  const touch = async () => {
    await writeFile(file, '')
    return (await stat(file)).ctimeMs
  }
  const before = await touch()
  for (const until = performance.now() + CLOCK_LIMIT_MS; performance.now() < until; ) {
    const now = await touch()
    if (now !== before) return now
  }
  return 0
}
