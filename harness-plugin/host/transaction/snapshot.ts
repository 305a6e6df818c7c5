import {
  constants,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { syncToDisk } from '@plugmark/shared/file-lock'
import {
  byChangeTime,
  copyFileIfThere,
  copyFolderMode,
  copyTree,
  ignoreMissing,
  markOfEntry,
  markTree,
  treeSize,
} from '../profile/files.ts'
import { PROFILE_FILES } from '../profile/state.ts'
import { scratchFolder, snapshotFolder, stateFolder, undoFolder } from '../profile/state-folder.ts'
import { changeFile, dropUndo, type Journal, NewerStateFormat, readLastChange, writeJournal } from './journal.ts'

/**
 * Copies a profile's files and its node_modules. The files alone are not enough: after a blocked build, or without a
 * lockfile, the package manager cannot repair node_modules from them, and keeps the plugin.
 *
 * @param options.signal stops the copying; its reason is thrown
 * @param options.replacesUndo true to delete the snapshot of the last change, after moving from it what is still the same
 * @returns the journal with the snapshot; both are synced to the disk
 * @throws when the copy fails; then the profile must not be changed
 */
export async function takeSnapshot(
  profile: string,
  journal: Journal,
  { signal, replacesUndo }: { readonly signal: AbortSignal; readonly replacesUndo: boolean },
): Promise<Journal> {
  const folder = snapshotFolder(profile)
  const modules = join(profile, 'node_modules')
  if (replacesUndo) await makeSpace(profile, signal)
  await mkdir(folder)
  for (const file of PROFILE_FILES) await copyFileIfThere(join(profile, file), join(folder, file))
  const found = await lstat(modules).catch(ignoreMissing)
  // A rename could not restore the target of a link.
  if (found && !found.isDirectory()) throw new Error('node_modules is not a directory of its own')
  const older = replacesUndo ? await takeUndo(profile) : null
  if (found) {
    const marks = await markTree(modules, byChangeTime)
    // Until the clock advances, a change could leave a ctime as it is. Another file system may have another clock.
    const isMarked = found.dev === (await stat(folder)).dev && (await waitForClock(profile))
    if (isMarked) await writeFile(marksFile(folder), JSON.stringify(marks))
    await copyModules(modules, join(folder, 'node_modules'), { signal, marks, older })
  }
  if (replacesUndo) await dropUndo(profile)
  const names = found ? await readdir(join(folder, 'node_modules')) : null
  await syncToDisk(stateFolder(profile))
  const taken: Journal = { ...journal, snapshot: { modules: names, takenAtMs: 0 } }
  await writeJournal(profile, taken)
  return taken
}

const marksFile = (snapshot: string): string => join(snapshot, 'marks.json')

/** Reads the ctimes in node_modules when a snapshot was taken; null if unknown, so that everything may have changed. */
export async function readMarks(snapshot: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(marksFile(snapshot), 'utf8'))
  } catch (error) {
    // A snapshot of an earlier version has none.
    if (error instanceof SyntaxError) return null
    return ignoreMissing(error as NodeJS.ErrnoException) ?? null
  }
}

/** An older copy of node_modules, whose entries may be moved. */
interface OlderCopy {
  readonly path: string
  /** Marks of the originals when it was made. */
  readonly marks: unknown
}

/** Makes the snapshot of the last change unusable for an undo. @returns its node_modules; null if there is none */
async function takeUndo(profile: string): Promise<OlderCopy | null> {
  const last = await readLastChange(profile).catch((error) => {
    if (error instanceof NewerStateFormat) return null
    throw error
  })
  await rm(changeFile(undoFolder(profile)), { force: true })
  const marks = last && (await readMarks(undoFolder(profile)))
  return marks ? { path: join(undoFolder(profile), 'node_modules'), marks } : null
}

/** Copies a folder. Moves from the older copy what has not changed since that was made. */
async function copyModules(
  source: string,
  target: string,
  { signal, marks, older }: { readonly signal: AbortSignal; readonly marks: unknown; readonly older: OlderCopy | null },
): Promise<void> {
  if (older === null) return copyTree(source, target, { signal, skips: 'vanished' })
  const { mode } = await stat(source)
  await mkdir(target)
  for (const name of await readdir(source)) {
    signal.throwIfAborted()
    const [from, to, old] = [join(source, name), join(target, name), join(older.path, name)]
    const [found, oldFound] = [await lstat(from).catch(ignoreMissing), await lstat(old).catch(ignoreMissing)]
    const [mark, oldMark] = [markOfEntry(marks, name), markOfEntry(older.marks, name)]
    if (oldFound && mark !== undefined && isDeepStrictEqual(mark, oldMark)) await rename(old, to)
    else if (oldFound?.isDirectory() && found?.isDirectory())
      await copyModules(from, to, { signal, marks: mark, older: { path: old, marks: oldMark } })
    else await copyTree(from, to, { signal, skips: 'vanished' })
  }
  await copyFolderMode(mode, target)
}

const CLOCK_TIMEOUT_MS = 2000

/**
 * Waits until the file system's clock has advanced, which it does every 1 to 10 ms, so that every later change has a
 * later ctime.
 *
 * @returns false if the clock stands still
 */
async function waitForClock(profile: string): Promise<boolean> {
  await mkdir(scratchFolder(profile), { recursive: true })
  const file = join(scratchFolder(profile), 'clock')
  const touch = async () => {
    await writeFile(file, '')
    return (await stat(file)).ctimeMs
  }
  const before = await touch()
  for (const until = performance.now() + CLOCK_TIMEOUT_MS; performance.now() < until; )
    if ((await touch()) !== before) return true
  return false
}

/** Free space above which node_modules is not measured, in bytes: measuring 10,000 files takes a tenth of a second. */
const AMPLE_BYTES = 4_000_000_000
/** Space for the plugin itself and its dependencies, in bytes. */
const MARGIN_BYTES = 50_000_000

/**
 * Checks that there is space for another copy of node_modules, which trial and snapshot need. Counts the snapshot of the
 * last change as space, but leaves it: the trial may refuse the change.
 *
 * @param keepsUndo true if the job needs that snapshot
 * @throws an error with the code ENOSPC
 */
export async function ensureFreeSpace(
  profile: string,
  { keepsUndo, signal }: { readonly keepsUndo: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const missing = await missingBytes(profile, signal)
  if (missing <= 0) return
  if (!keepsUndo && (await treeSize(undoFolder(profile), { signal })) >= missing) return
  throw Object.assign(new Error('There is no space for a copy of node_modules.'), { code: 'ENOSPC' })
}

/** Deletes the snapshot of the last change if there is no space for a new one beside it. */
async function makeSpace(profile: string, signal: AbortSignal): Promise<void> {
  if ((await missingBytes(profile, signal)) > 0) await dropUndo(profile)
}

/** Returns the bytes that are missing for another copy of node_modules; 0 or less if there is enough space. */
async function missingBytes(profile: string, signal: AbortSignal): Promise<number> {
  if ((await freeBytes(profile)) >= AMPLE_BYTES) return 0
  const needed = (await treeSize(join(profile, 'node_modules'), { signal })) + MARGIN_BYTES
  const missing = needed - (await freeBytes(profile))
  return missing > 0 && (await canClone(profile)) ? 0 : missing
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
    // The system has no clones, or no space even for this one.
    return false
  } finally {
    await rm(clone, { force: true })
  }
}
