import { constants, copyFile, lstat, mkdir, readdir, rename, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { syncToDisk } from '@plugmark/shared/file-lock'
import { copyFileIfThere, copyTree, ignoreMissing, isChangedSince, treeSize } from '../profile/files.ts'
import { PROFILE_FILES } from '../profile/state.ts'
import { scratchFolder, snapshotFolder, stateFolder, undoFolder } from '../profile/state-folder.ts'
import { changeFile, dropUndo, type Journal, readLastChange, writeJournal } from './journal.ts'

/**
 * Copies a profile's files and its node_modules. The files alone are not enough: after a blocked build, or without a
 * lockfile, the package manager cannot repair node_modules from them, and keeps the plugin.
 *
 * @param options.signal stops the copying; its reason is thrown
 * @param options.spendsUndo true to delete the snapshot of the last change, after moving from it what is still the same
 * @returns the journal with the snapshot; both are synced to the disk
 * @throws when the copy fails; then the profile must not be changed
 */
export async function takeSnapshot(
  profile: string,
  journal: Journal,
  { signal, spendsUndo }: { readonly signal: AbortSignal; readonly spendsUndo: boolean },
): Promise<Journal> {
  const folder = snapshotFolder(profile)
  const modules = join(profile, 'node_modules')
  await mkdir(folder)
  for (const file of PROFILE_FILES) await copyFileIfThere(join(profile, file), join(folder, file))
  const found = await lstat(modules).catch(ignoreMissing)
  // A rename could not restore the target of a link.
  if (found && !found.isDirectory()) throw new Error('node_modules is not a directory of its own')
  // On a file system of its own, node_modules may have another clock.
  const hasOneClock = !found || found.dev === (await stat(folder)).dev
  const takenAtMs = hasOneClock ? await timeAfterChanges(profile) : 0
  const spent = spendsUndo ? await spendUndo(profile) : null
  if (found) await copyModules(modules, join(folder, 'node_modules'), { signal, spent })
  if (spendsUndo) await dropUndo(profile)
  const names = found ? await readdir(join(folder, 'node_modules')) : null
  await syncToDisk(stateFolder(profile))
  const taken: Journal = { ...journal, snapshot: { modules: names, takenAtMs } }
  await writeJournal(profile, taken)
  return taken
}

/** An older copy of node_modules, whose entries may be moved. */
interface Spent {
  readonly path: string
  /** Time of the file system since which a changed file has a later ctime, ms. */
  readonly takenAtMs: number
}

/** Makes the snapshot of the last change unusable for an undo. @returns its node_modules; null if it has none */
async function spendUndo(profile: string): Promise<Spent | null> {
  const last = await readLastChange(profile).catch(() => null)
  await rm(changeFile(undoFolder(profile)), { force: true })
  if (last === null || last.snapshot.takenAtMs === 0) return null
  return { path: join(undoFolder(profile), 'node_modules'), takenAtMs: last.snapshot.takenAtMs }
}

/** Copies a folder. Moves from the older copy what has not changed since that was made. */
async function copyModules(
  source: string,
  target: string,
  { signal, spent }: { readonly signal: AbortSignal; readonly spent: Spent | null },
): Promise<void> {
  if (spent === null) return copyTree(source, target, { signal })
  await mkdir(target)
  for (const name of await readdir(source)) {
    signal.throwIfAborted()
    const [from, to, old] = [join(source, name), join(target, name), join(spent.path, name)]
    const [found, oldFound] = [await lstat(from), await lstat(old).catch(ignoreMissing)]
    if (oldFound && !(await isChangedSince(from, spent.takenAtMs))) await rename(old, to)
    else if (oldFound?.isDirectory() && found.isDirectory())
      await copyModules(from, to, { signal, spent: { ...spent, path: old } })
    else await copyTree(from, to, { signal })
  }
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

/** Free space above which node_modules is not measured, in bytes: measuring 10,000 files takes a tenth of a second. */
const AMPLE_BYTES = 4_000_000_000
/** Space for the plugin itself and its dependencies, in bytes. */
const MARGIN_BYTES = 50_000_000

/**
 * Checks that there is space for another copy of node_modules, which trial and snapshot need. Deletes the snapshot of
 * the last change if that frees enough space.
 *
 * @param keepsUndo true if the job needs that snapshot
 * @throws an error with the code ENOSPC
 */
export async function ensureFreeSpace(
  profile: string,
  { keepsUndo, signal }: { readonly keepsUndo: boolean; readonly signal: AbortSignal },
): Promise<void> {
  if ((await freeBytes(profile)) >= AMPLE_BYTES) return
  const needed = (await treeSize(join(profile, 'node_modules'), { signal })) + MARGIN_BYTES
  if ((await freeBytes(profile)) >= needed || (await canClone(profile))) return
  if (!keepsUndo) {
    const room = await treeSize(undoFolder(profile), { signal })
    if ((await freeBytes(profile)) + room >= needed) return dropUndo(profile)
  }
  throw Object.assign(new Error('There is no room for a copy of node_modules.'), { code: 'ENOSPC' })
}

async function freeBytes(profile: string): Promise<number> {
  const { bavail, bsize } = await statfs(stateFolder(profile))
  return bavail * bsize
}

/** Returns true if the file system clones files, so that a copy takes no space. */
async function canClone(profile: string): Promise<boolean> {
  const clone = join(scratchFolder(profile), 'clone')
  try {
    await mkdir(scratchFolder(profile), { recursive: true })
    await copyFile(join(profile, 'package.json'), clone, constants.COPYFILE_FICLONE_FORCE)
    return true
  } catch {
    return false
  } finally {
    await rm(clone, { force: true }).catch(() => {})
  }
}
