import { chmod, lstat, mkdir, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { isOpenElsewhere, processStart, syncToDisk } from '@plugmark/shared/file-lock'
import type { Outcome, RollbackResult } from '../../protocol/index.ts'
import { isSuccess } from '../../protocol/next-steps.ts'
import type { JobSettings } from '../harness/job.ts'
import { emptyOutcome, profileOutcome } from '../harness/outcome.ts'
import { isLasting, NewerFile, UnreadableState } from '../json-file.ts'
import { endOrphanedProcesses } from '../process/run.ts'
import {
  byChangeTime,
  copyTree,
  ignoreMissing,
  markOfEntry,
  markTree,
  readNames,
  restoreProfileFile,
  writeProfileFile,
} from '../profile/files.ts'
import { changeHolds } from '../profile/holds.ts'
import { type Manifest, manifestOf, manifestWithoutJob, pnpmSettingsWithoutJob } from '../profile/manifest.ts'
import { FILES_OF_OTHERS, findPackageNames, isInstalled, PROFILE_FILES, readProfileState } from '../profile/state.ts'
import {
  hasUnfinishedJob,
  journalFile,
  removeEmptyStateFolder,
  removeTrial,
  scratchFolder,
  snapshotFolder,
} from '../profile/state-folder.ts'
import { addToHistory, readHistoryEntry } from './history.ts'
import {
  clearLeftovers,
  deleteJobFile,
  endUnchanged,
  type Journal,
  type OrphanedJob,
  readJournal,
  takeOrphanedJobs,
  withLockedProfile,
} from './journal.ts'

// 1. After a host ended: find its job.

type RecoverySettings = Pick<JobSettings, 'home' | 'redactions'>

interface Recovery {
  /** Jobs to report, in the order they were requested. */
  readonly jobs: readonly OrphanedJob[]
  /**
   * False when the profile must be checked again: another process may still be working on it, or a disk reported an
   * error.
   */
  readonly isComplete: boolean
}

/**
 * Recovers a profile after a host ended: rolls back the job that was running, and takes the files of jobs that never
 * began. Leaves the jobs of other running processes alone.
 *
 * @param settings the harness home, and the secrets that the history must not have
 * @param directory the profile's directory
 * @param onProblem called with each error that ended the recovery
 */
export async function recoverProfile(
  settings: RecoverySettings,
  directory: string,
  onProblem: (cause: unknown) => void,
): Promise<Recovery> {
  const jobs: OrphanedJob[] = []
  let isComplete = true
  try {
    if (!(await hasUnfinishedJob(directory))) {
      // The harness may have been killed without a job of the store.
      if ((await findHarnessLocks(directory)).some(({ owner }) => owner === 'ended'))
        await withLockedProfile(directory, { wait: false }, () => removeHarnessLocks(directory))
      await removeEmptyStateFolder(directory)
      return { jobs, isComplete }
    }
    try {
      const locked = await withLockedProfile(directory, { wait: false }, async () => {
        const interrupted = await rollbackInterrupted(settings, directory)
        if (interrupted) jobs.push(interrupted)
        return true
      })
      if (locked === null || jobs[0]?.outcome.rollback === 'failed') isComplete = false
    } catch (cause) {
      onProblem(cause)
      // The next job reports what can never be read.
      if (!(cause instanceof UnreadableState || cause instanceof NewerFile)) isComplete = false
    }
    const { orphaned, hasOthers } = await takeOrphanedJobs(directory)
    await removeEmptyStateFolder(directory)
    return { jobs: [...jobs, ...orphaned], isComplete: isComplete && !hasOthers }
  } catch (cause) {
    onProblem(cause)
    return { jobs, isComplete: false }
  }
}

/**
 * Time after the start of a job from which its processes count as ended where none can be listed, in ms: a profile must
 * not stay as it is forever.
 */
const MAX_ORPHAN_MS = 60 * 60_000

/**
 * Rolls back the job of a journal whose host ended.
 *
 * @param settings the harness home, and the secrets that the history must not have
 * @param directory the profile's directory, which this process has locked
 * @returns null when there is no job to report: no journal, or that of a check
 * @throws UnreadableState, NewerFile
 */
export async function rollbackInterrupted(
  { home, redactions }: RecoverySettings,
  directory: string,
): Promise<OrphanedJob | null> {
  const journal = await readJournal(directory)
  if (journal === null) {
    await clearLeftovers(directory)
    return null
  }
  const { job, client, isCheck, specs, snapshot } = journal
  // Its host may have ended between writing the journal and deleting the file.
  await deleteJobFile(directory, job.id)
  const before = await readProfileState(snapshot === null ? directory : snapshotFolder(directory))
  const hasEnded = (await endOrphanedProcesses(job.id, directory)) ?? Date.now() - job.startedAt > MAX_ORPHAN_MS
  await removeTrial(home, job.id)
  // The harness that ran the job left it, whatever the clock says.
  const locks = hasEnded ? await removeHarnessLocks(directory, Number.NEGATIVE_INFINITY) : []
  const rolledBack = hasEnded ? await rollback(directory) : { rollback: 'failed' as const, quarantined: [] }
  if (isCheck && rolledBack.rollback !== 'failed') return null
  const now = await readProfileState(directory)
  const profile = before && now && profileOutcome({ specs, before, after: now })
  // A job that failed for a reason, and could not be rolled back then, keeps the reason.
  const known = (await readHistoryEntry(directory, job))?.outcome
  const reason = known && !isSuccess(known.kind) ? known : emptyOutcome('interrupted', locks)
  const outcome = { ...reason, ...rolledBack, profile }
  const entry = { ...job, client, endedAt: Date.now(), outcome, changes: [] }
  await addToHistory(directory, entry, { output: null, redactions })
  return { job, outcome }
}

/**
 * Removes the locks of the harness for its package.json whose process has ended: the harness itself waits for them up to
 * two minutes and then fails (dsh 0.1.0-rc.8 never removes one; 0.2.1 does, but not when it was killed while removing
 * one). Each holds the pid of its owner and a line break (dsh-atomic-write 0.1.0-rc.8 and 0.2.1-rc.2).
 *
 * @param directory a profile that this process has locked
 * @returns the names of the locks
 */
export async function removeHarnessLocks(directory: string, minAgeMs?: number): Promise<string[]> {
  const ended = (await findHarnessLocks(directory, minAgeMs)).filter(({ owner }) => owner === 'ended')
  for (const { name } of ended) await rm(join(directory, name), { force: true })
  return ended.map(({ name }) => name).filter((name) => name === HARNESS_LOCK)
}

const HARNESS_LOCK = 'package.json.lock'
/** Age of a lock that no harness would have, in ms: five times as long as it waits for one. */
const OLD_LOCK_MS = 10 * 60_000

interface HarnessLock {
  readonly name: string
  /**
   * A lock that names no process is `unknown`: the harness may be writing it. So is a new one that names none of these
   * processes: its pid may be of a container that shares the home.
   */
  readonly owner: 'running' | 'ended' | 'unknown'
}

/**
 * Finds the locks of the harness for its package.json, and what it keeps beside one while it removes it.
 *
 * @param minAgeMs age from which the owner of one is `ended` when it is none of these processes
 */
export async function findHarnessLocks(directory: string, minAgeMs = OLD_LOCK_MS): Promise<HarnessLock[]> {
  const names = (await readNames(directory)).filter((name) => name.startsWith(HARNESS_LOCK))
  return Promise.all(
    names.map(async (name) => {
      // One that cannot be read says nothing of its owner.
      const text = await readFile(join(directory, name), 'utf8').catch(() => '')
      const pid = Number(/^(\d{1,10})\s*$/.exec(text)?.[1] ?? 0)
      if (pid === 0) return { name, owner: 'unknown' }
      if ((await processStart(pid)) !== null) return { name, owner: 'running' }
      const { mtimeMs } = (await stat(join(directory, name)).catch(ignoreMissing)) ?? { mtimeMs: Date.now() }
      return { name, owner: Date.now() - mtimeMs >= minAgeMs ? 'ended' : 'unknown' }
    }),
  )
}

// 2. Roll back a job, also one of this process.

interface RolledBack extends Pick<Outcome, 'quarantined'> {
  readonly rollback: RollbackResult
}

/**
 * Restores a profile to its state before the job in its journal. Can be interrupted at any point: every step can be
 * repeated, and the journal is deleted last.
 *
 * @returns the result, and the new names of quarantined files
 */
export async function rollback(profile: string): Promise<RolledBack> {
  const unreadable: string[] = []
  try {
    const journal = await readJournal(profile)
    if (journal === null) throw new UnreadableState('the journal is gone')
    const { specs, snapshot } = journal
    let isWhole = true
    if (snapshot !== null) {
      const source = { specs, snapshot, folder: snapshotFolder(profile), isKept: false }
      isWhole = await restore(profile, source, (name) => unreadable.push(name))
      // Holds that cannot be read any more are named by the doctor.
      await changeHolds(profile, snapshot.holds).catch(() => {
        isWhole = false
      })
      await syncToDisk(profile, join(profile, 'node_modules'))
    }
    await endUnchanged(profile)
    return { rollback: isWhole ? 'complete' : 'partial', quarantined: unreadable }
  } catch (error) {
    // Other errors may be temporary: the next attempt repeats the rollback.
    if (!(error instanceof UnreadableState)) return { rollback: 'failed', quarantined: unreadable }
    try {
      return { rollback: 'unreadable', quarantined: [...unreadable, await quarantineJob(profile)] }
    } catch {
      // The next attempt moves it.
      return { rollback: 'failed', quarantined: unreadable }
    }
  }
}

/**
 * Moves an unreadable journal and its snapshot out of the state folder. Moves the journal last, because a snapshot
 * without a journal is deleted.
 *
 * @returns the new name
 */
export async function quarantineJob(profile: string): Promise<string> {
  const name = await quarantine(profile, snapshotFolder(profile), journalFile(profile))
  // Optional: the next job clears the rest.
  await clearLeftovers(profile).catch(() => {})
  return name
}

/** A snapshot to restore a profile from. */
interface Source extends Pick<Journal, 'specs'> {
  readonly folder: string
  readonly snapshot: NonNullable<Journal['snapshot']>
  /** True if the snapshot must stay as it is; otherwise its files may be moved. */
  readonly isKept: boolean
}

/**
 * Reverts the changes of a job in a profile from its snapshot. Keeps what other programs changed meanwhile: values in the
 * profile's files, and packages in node_modules that package.json then has because of them. Restores the lockfile
 * completely; the package manager adds those packages to it again.
 *
 * @param onUnreadable called with the new name of a file that could not be read
 * @returns false if a package of another program is no longer installed
 * @throws UnreadableState before anything was changed, when the snapshot cannot be read
 */
export async function restore(profile: string, source: Source, onUnreadable: (name: string) => void): Promise<boolean> {
  const before = await readSnapshot(source)
  const text = await readNow(profile)
  const own = findPackageNames(
    source.specs,
    { manifest: before },
    text === null ? null : { manifest: manifestOf(text) },
  )
  const foreign = await findForeign(profile, before, text, { ...source, own })
  const added = own.filter((name) => !Object.hasOwn(before.dependencies, name))
  // Restore modules first: that frees space on a full disk.
  await restoreModules(profile, source, { added, foreign })
  const isShared = (file: string) => !source.snapshot.files.includes(file)
  for (const file of PROFILE_FILES.filter(isShared)) {
    const name = await restoreFile(profile, file, own, source)
    if (name !== null) onUnreadable(name)
  }
  for (const [index, file] of source.snapshot.files.entries())
    await restoreOwn(profile, file, ownFile(source.folder, index))
  for (const name of foreign) if (!(await isInstalled(profile, name))) return false
  return true
}

/** Returns the place in a snapshot of a file that only its job writes. */
export const ownFile = (folder: string, index: number): string => join(folder, `own-${index}`)

async function restoreOwn(profile: string, file: string, before: string): Promise<void> {
  const [was, is] = [await readIfThere(before), await readIfThere(join(profile, file))]
  if (was !== null) {
    if (!is?.equals(was)) await writeProfileFile(profile, file, was)
    return
  }
  await rm(join(profile, file), { force: true })
  // The folders that are empty now are of the job.
  for (let folder = dirname(file); folder !== '.'; folder = dirname(folder))
    await rmdir(join(profile, folder)).catch(() => {})
}

/** Reads a snapshot. @throws UnreadableState when a profile cannot be restored from it */
async function readSnapshot({ folder, snapshot: { modules } }: Source): Promise<Manifest> {
  try {
    for (const file of PROFILE_FILES) await readIfThere(join(folder, file))
    if (modules !== null) await readdir(join(folder, 'node_modules'))
    return manifestOf(await readFile(join(folder, 'package.json'), 'utf8'))
  } catch (cause) {
    if (!isLasting(cause)) throw cause
    throw new UnreadableState('the snapshot cannot be read', { cause })
  }
}

/** Returns the package.json after the job; null if it cannot be read. */
async function readNow(profile: string): Promise<string | null> {
  try {
    const text = await readFile(join(profile, 'package.json'), 'utf8')
    manifestOf(text)
    return text
  } catch (error) {
    if (!isLasting(error)) throw error
    return null
  }
}

/** Returns the packages that another program installed or changed, and that stay in package.json. */
async function findForeign(
  profile: string,
  before: Manifest,
  now: string | null,
  { folder, own }: Pick<Source, 'folder'> & { readonly own: readonly string[] },
): Promise<string[]> {
  if (now === null) return []
  const was = await readFile(join(folder, 'package.json'), 'utf8')
  const { dependencies } = manifestOf(manifestWithoutJob(was, now, own))
  const kept = Object.keys(dependencies).filter((name) => dependencies[name] !== before.dependencies[name])
  const installed = await Promise.all(kept.map((name) => isInstalled(profile, name)))
  return kept.filter((_, index) => installed[index])
}

// 3. Restore files.

/**
 * Restores a file. Writes only if bytes or mode differ, because a running harness watches these files.
 *
 * @param own packages of the plugins that the profile had or has
 * @returns the new name of an unreadable file; otherwise null
 */
async function restoreFile(
  profile: string,
  file: string,
  own: readonly string[],
  { folder, isKept }: Source,
): Promise<string | null> {
  const [before, target] = [join(folder, file), join(profile, file)]
  const was = await readIfThere(before)
  let is: Buffer | null
  let wanted: Buffer | null
  let unreadable: string | null = null
  try {
    is = await readIfThere(target)
    wanted = withoutJob(file, { was, is, own })
  } catch (error) {
    if (!isLasting(error)) throw error
    unreadable = await quarantineFile(profile, file)
    is = null
    wanted = was
  }
  if (wanted === null) await rm(target, { force: true })
  else if (!is?.equals(wanted))
    await (wanted === was
      ? restoreProfileFile(profile, file, before, { canMove: !isKept })
      : writeProfileFile(profile, file, wanted))
  else if (wanted === was) await restoreMode(before, target)
  return unreadable
}

/**
 * Returns the bytes of a file of the profile without the job's changes; null for no file.
 *
 * @throws when it cannot be parsed
 */
function withoutJob(
  file: string,
  { was, is, own }: { readonly was: Buffer | null; readonly is: Buffer | null; readonly own: readonly string[] },
): Buffer | null {
  if (was && is?.equals(was)) return was
  if (FILES_OF_OTHERS.includes(file)) return is
  if (file === 'package.json' && was && is) {
    const text = manifestWithoutJob(`${was}`, `${is}`, own)
    return text === `${was}` ? was : Buffer.from(text)
  }
  if (file === 'pnpm-workspace.yaml') {
    const text = pnpmSettingsWithoutJob(`${was ?? ''}`, `${is ?? ''}`)
    if (text === `${was ?? ''}`) return was
    return text === '' ? null : Buffer.from(text)
  }
  return was
}

async function restoreMode(before: string, target: string): Promise<void> {
  const [was, is] = await Promise.all([stat(before), stat(target)])
  if (was.mode !== is.mode) await chmod(target, was.mode)
}

// 4. Restore node_modules.

interface Owners {
  /** Packages that the job added. */
  readonly added: readonly string[]
  /** Packages of another program, which stay as they are. */
  readonly foreign: readonly string[]
}

/** Restores node_modules. Replaces only changed entries, because a running harness reloads files that are replaced. */
async function restoreModules(profile: string, source: Source, owners: Owners): Promise<void> {
  const { folder, snapshot, isKept } = source
  const [before, target] = [join(folder, 'node_modules'), join(profile, 'node_modules')]
  const scratch = scratchFolder(profile)
  await rm(scratch, { recursive: true, force: true })
  await mkdir(scratch)
  if (snapshot.modules === null && owners.foreign.length === 0) await removeModules(target, scratch)
  else {
    const modules = snapshot.modules ?? []
    const marks = modules.length === 0 ? null : await readMarks(folder)
    await mkdir(target, { recursive: true })
    const folders: Folders = { before, target, aside: scratch, marks, isKept }
    // A merge moves single packages out of the folders of the snapshot, so only a merge can go on with it.
    const merging = join(folder, 'merging')
    const isMerging = owners.foreign.length > 0 || (await readIfThere(merging)) !== null
    if (isMerging && !isKept) await writeFile(merging, '')
    if (isMerging) await mergeFolder(folders, owners)
    else
      for (const name of new Set([...modules, ...(await readdir(target))])) await restoreEntry(folders, name, modules)
  }
  // The next job removes the rest.
  await rm(scratch, { recursive: true, force: true }).catch(() => {})
}

/** A folder in a snapshot, and the one to restore from it. */
interface Folders {
  readonly before: string
  readonly target: string
  /** Folder for what is replaced. */
  readonly aside: string
  /** Marks of the folder's entries at the snapshot; null if unknown. */
  readonly marks: unknown
  readonly isKept: boolean
}

/**
 * Restores an entry of a folder.
 *
 * @param known names of the entries at the snapshot; others are removed
 */
async function restoreEntry(
  { before, target, aside, marks, isKept }: Folders,
  name: string,
  known: readonly string[],
): Promise<void> {
  const [was, is, old] = [join(before, name), join(target, name), join(aside, name)]
  const entry = known.includes(name) ? await lstat(was).catch(ignoreMissing) : undefined
  // An interrupted rollback has already restored it.
  if (known.includes(name) && entry === undefined) return
  if (entry && (await isUnchanged(is, markOfEntry(marks, name)))) return
  await moveAside(is, old)
  if (entry && isKept) await copyTree(was, is)
  else if (entry) await moveBack(was, is, old)
}

const isUnchanged = async (path: string, mark: unknown): Promise<boolean> =>
  mark !== undefined && isDeepStrictEqual(await markTree(path, byChangeTime), mark)

/**
 * Restores a folder in which another program has installed packages: restores what the snapshot has, removes the
 * packages that the job added, and keeps everything else that is new, as those packages may need it.
 */
async function mergeFolder(folders: Folders, { added, foreign }: Owners, scope = ''): Promise<void> {
  const { before, target, aside, marks } = folders
  const known = await readNames(before)
  for (const name of new Set([...known, ...(await readdir(target))])) {
    const id = scope + name
    if (foreign.includes(id)) continue
    if (
      isShared(name) &&
      (await isFolderIn(target, name)) &&
      (!known.includes(name) || (await isFolderIn(before, name)))
    ) {
      const inner = join(aside, name)
      await mkdir(inner, { recursive: true })
      const inside = { before: join(before, name), target: join(target, name), aside: inner }
      const owners = name === '.pnpm' ? { added: [], foreign: [] } : { added, foreign }
      await mergeFolder(
        { ...folders, ...inside, marks: markOfEntry(marks, name) },
        owners,
        name.startsWith('@') ? `${name}/` : '',
      )
    } else if (known.includes(name) || added.includes(id)) await restoreEntry(folders, name, known)
  }
}

/** Returns true for folders that hold packages, links or programs of several packages. */
const isShared = (name: string): boolean => name.startsWith('@') || ['.pnpm', '.bin', 'node_modules'].includes(name)

const isFolderIn = async (folder: string, name: string): Promise<boolean> =>
  (await lstat(join(folder, name)).catch(ignoreMissing))?.isDirectory() === true

/**
 * Returns true for errors of a rename between two file systems, of a mount point, or of a folder in which another program
 * has a file open on Windows: then its entries are copied or removed one by one.
 */
const cannotRename = (error: NodeJS.ErrnoException): boolean =>
  error.code === 'EXDEV' || error.code === 'EBUSY' || isOpenElsewhere(error)

/** Removes a node_modules that did not exist before; if it is a mount point by now, removes its contents. */
async function removeModules(target: string, scratch: string): Promise<void> {
  await rename(target, join(scratch, 'node_modules')).catch(async (error: NodeJS.ErrnoException) => {
    if (!cannotRename(error)) return ignoreMissing(error)
    for (const name of await readdir(target)) await rm(join(target, name), { recursive: true, force: true })
  })
}

/** Moves an entry out of node_modules by a rename, or deletes it if node_modules is a file system of its own. */
async function moveAside(path: string, aside: string): Promise<void> {
  await rename(path, aside).catch(async (error: NodeJS.ErrnoException) => {
    if (!cannotRename(error)) return ignoreMissing(error)
    await rm(path, { recursive: true, force: true })
  })
}

/** Moves an entry from the snapshot into node_modules. Renames the original away only after a copy is complete. */
async function moveBack(was: string, target: string, aside: string): Promise<void> {
  await rename(was, target).catch(async (error: NodeJS.ErrnoException) => {
    if (!cannotRename(error)) throw error
    await copyTree(was, target)
    await syncToDisk(target)
    await rename(was, aside)
  })
}

/** Returns the contents of a file; null if it does not exist. */
const readIfThere = async (path: string): Promise<Buffer | null> => (await readFile(path).catch(ignoreMissing)) ?? null

/** Returns the file in a snapshot with the ctimes in node_modules when it was taken. */
export const marksFile = (snapshot: string): string => join(snapshot, 'marks.json')

/** Reads those ctimes; null if unknown, so that everything may have changed. */
async function readMarks(snapshot: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(marksFile(snapshot), 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) return null
    return ignoreMissing(error as NodeJS.ErrnoException) ?? null
  }
}

// Files that cannot be read are moved, never deleted.

/**
 * Moves unreadable files from the state folder into a new folder of the profile.
 *
 * @returns the folder's name
 */
export async function quarantine(profile: string, ...paths: readonly string[]): Promise<string> {
  const name = quarantineName('plugmark')
  await mkdir(join(profile, name))
  for (const path of paths) {
    const target = join(profile, name, path.slice(dirname(path).length + 1))
    await rename(path, target).catch(ignoreMissing)
  }
  return name
}

/** Renames an unreadable file of a profile, and returns its new name. */
async function quarantineFile(profile: string, name: string): Promise<string> {
  const renamed = quarantineName(name.replace(/^\./, ''))
  await rename(join(profile, name), join(profile, renamed))
  return renamed
}

const quarantineName = (name: string): string => `${name}.unreadable-${new Date().toISOString().replaceAll(':', '-')}`
