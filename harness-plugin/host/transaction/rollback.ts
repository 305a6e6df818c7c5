import { chmod, lstat, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { syncToDisk } from '@plugmark/shared/file-lock'
import type { Outcome, RollbackResult } from '../../protocol/index.ts'
import { emptyOutcome, profileOutcome } from '../harness/outcome.ts'
import { endOrphanedProcesses } from '../process/orphaned-processes.ts'
import { copyTree, ignoreMissing, isChangedSince, restoreProfileFile, writeProfileFile } from '../profile/files.ts'
import { type Manifest, manifestOf, manifestWithoutJob } from '../profile/manifest.ts'
import { pnpmSettingsWithoutJob } from '../profile/pnpm.ts'
import { findPackageNames, PROFILE_FILES, readProfileState, SETTINGS_FILES } from '../profile/state.ts'
import {
  hasUnfinishedJob,
  journalFile,
  removeEmptyStateFolder,
  scratchFolder,
  snapshotFolder,
} from '../profile/state-folder.ts'
import { removeTrial } from '../trial/copy.ts'
import { recordJob } from './history.ts'
import {
  clearLeftovers,
  deleteJobFile,
  endUnchanged,
  isLasting,
  type Journal,
  type OrphanedJob,
  quarantine,
  quarantineFile,
  readJournal,
  takeOrphanedJobs,
  UnreadableState,
  withLockedProfile,
} from './journal.ts'

export interface Recovered {
  /** Jobs to report, in the order they were requested. */
  readonly jobs: readonly OrphanedJob[]
  /** False when another process may still be working on the profile, so that it must be checked again. */
  readonly isComplete: boolean
}

/**
 * Recovers a profile after a host ended: rolls back the job that was running, and takes the files of jobs that never
 * began. Leaves the jobs of other running processes alone.
 *
 * @param home the harness home
 * @param directory the profile's directory
 */
export async function recoverProfile(home: string, directory: string): Promise<Recovered> {
  try {
    if (!(await hasUnfinishedJob(directory))) return { jobs: [], isComplete: true }
    const locked = await withLockedProfile(directory, { wait: false }, async () => {
      const interrupted = await rollbackInterrupted(home, directory).catch(() => null)
      return { interrupted }
    })
    const { orphaned, hasOthers } = await takeOrphanedJobs(directory)
    await removeEmptyStateFolder(directory)
    const jobs = locked?.interrupted ? [locked.interrupted, ...orphaned] : orphaned
    return { jobs, isComplete: locked !== null && !hasOthers }
  } catch {
    // An error here occurs again at the next install into the profile, which reports it.
    return { jobs: [], isComplete: true }
  }
}

/**
 * Rolls back the job of a journal whose host ended.
 *
 * @param home the harness home
 * @param directory the profile's directory, which this process has locked
 * @returns null when there is no journal
 * @throws UnreadableState, NewerStateFormat
 */
export async function rollbackInterrupted(home: string, directory: string): Promise<OrphanedJob | null> {
  const journal = await readJournal(directory)
  if (journal === null) {
    await clearLeftovers(directory)
    return null
  }
  const { job, client, specs, snapshot } = journal
  // Its host may have ended between writing the journal and deleting the file.
  await deleteJobFile(directory, job.id).catch(() => {})
  const before = await readProfileState(snapshot === null ? directory : snapshotFolder(directory))
  const hasEnded = await endOrphanedProcesses(job.id, directory)
  await removeTrial(home, job.id)
  const rolledBack = hasEnded ? await rollback(directory) : ({ rollback: 'failed' } as const)
  const now = await readProfileState(directory)
  const profile = before && now && profileOutcome({ specs, before, after: now })
  const outcome = { ...emptyOutcome('interrupted'), ...rolledBack, profile }
  await recordJob(directory, { ...job, client, endedAt: Date.now(), outcome, changes: [] }, null)
  return { job, outcome }
}

/** A snapshot to restore a profile from. */
interface Source extends Pick<Journal, 'specs'> {
  readonly folder: string
  readonly snapshot: NonNullable<Journal['snapshot']>
  /** True if the snapshot must stay as it is; otherwise its files may be moved. */
  readonly isKept: boolean
}

/**
 * Restores a profile to its state before the job in its journal. Can be interrupted at any point: every step can be
 * repeated, and the journal is deleted last.
 *
 * @returns `failed` when the profile could not be restored, which the next `rollback` tries again, or `unreadable` when
 *   it can never be restored; and the new names of quarantined files
 */
export async function rollback(
  profile: string,
): Promise<{ readonly rollback: RollbackResult } & Pick<Outcome, 'quarantined'>> {
  const unreadable: string[] = []
  try {
    const journal = await readJournal(profile)
    if (journal === null) throw new UnreadableState('the journal is gone')
    const { specs, snapshot } = journal
    if (snapshot !== null) {
      const source = { specs, snapshot, folder: snapshotFolder(profile), isKept: false }
      await restore(profile, source, (name) => unreadable.push(name))
      await syncToDisk(profile, join(profile, 'node_modules'))
    }
    await endUnchanged(profile)
    return { rollback: 'complete', quarantined: unreadable }
  } catch (error) {
    const name = error instanceof UnreadableState && (await quarantineJob(profile).catch(() => false))
    if (typeof name === 'string') return { rollback: 'unreadable', quarantined: [...unreadable, name] }
    return { rollback: 'failed', quarantined: unreadable }
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
  await clearLeftovers(profile).catch(() => {})
  return name
}

/**
 * Reverts the changes of a job in a profile from its snapshot. Keeps changes that other programs made in the files
 * meanwhile. Restores node_modules and the lockfile completely, because nothing in them says who changed them.
 *
 * @param onUnreadable called with the new name of a file that could not be read
 * @throws UnreadableState before anything was changed, when the snapshot cannot be read
 */
export async function restore(profile: string, source: Source, onUnreadable: (name: string) => void): Promise<void> {
  const before = await readSnapshot(source)
  const own = findPackageNames(source.specs, { manifest: before }, await readNow(profile))
  // Restore modules first: that frees space on a full disk.
  await restoreModules(profile, source)
  for (const file of PROFILE_FILES) {
    const name = await restoreFile(profile, file, own, source)
    if (name !== null) onUnreadable(name)
  }
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

/** Returns the layers and dependencies after the job; null if they cannot be read. */
async function readNow(profile: string): Promise<{ readonly manifest: Manifest } | null> {
  try {
    return { manifest: manifestOf(await readFile(join(profile, 'package.json'), 'utf8')) }
  } catch (error) {
    if (!isLasting(error)) throw error
    return null
  }
}

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
      ? restoreProfileFile(profile, file, before, { spends: !isKept })
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
  if (SETTINGS_FILES.includes(file)) return is
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

/** Restores node_modules. Replaces only changed entries, because a running harness reloads files that are replaced. */
async function restoreModules(
  profile: string,
  { folder, snapshot: { modules, takenAtMs }, isKept }: Source,
): Promise<void> {
  const [before, target] = [join(folder, 'node_modules'), join(profile, 'node_modules')]
  const scratch = scratchFolder(profile)
  await rm(scratch, { recursive: true, force: true })
  await mkdir(scratch)
  if (modules === null) await removeModules(target, scratch)
  else {
    await mkdir(target, { recursive: true })
    for (const name of new Set([...modules, ...(await readdir(target))])) {
      const [was, is] = [join(before, name), join(target, name)]
      const entry = modules.includes(name) ? await lstat(was).catch(ignoreMissing) : undefined
      if (modules.includes(name)) {
        // An interrupted rollback has already restored it.
        if (entry === undefined) continue
        if ((await isChangedSince(is, takenAtMs).catch(ignoreMissing)) === false) continue
      }
      await moveAside(is, join(scratch, name))
      if (entry && isKept) await copyTree(was, is)
      else if (entry) await moveBack(was, is, join(scratch, name))
    }
  }
  await rm(scratch, { recursive: true, force: true }).catch(() => {})
}

/** Returns true for errors of a rename between two file systems, or of a mount point. */
const isOtherFileSystem = ({ code }: NodeJS.ErrnoException): boolean => code === 'EXDEV' || code === 'EBUSY'

/** Removes a node_modules that did not exist before; if it is a mount point by now, removes its contents. */
async function removeModules(target: string, scratch: string): Promise<void> {
  await rename(target, join(scratch, 'node_modules')).catch(async (error: NodeJS.ErrnoException) => {
    if (!isOtherFileSystem(error)) return ignoreMissing(error)
    for (const name of await readdir(target)) await rm(join(target, name), { recursive: true, force: true })
  })
}

/** Moves an entry out of node_modules by a rename, or deletes it if node_modules is a file system of its own. */
async function moveAside(path: string, aside: string): Promise<void> {
  await rename(path, aside).catch(async (error: NodeJS.ErrnoException) => {
    if (!isOtherFileSystem(error)) return ignoreMissing(error)
    await rm(path, { recursive: true, force: true })
  })
}

/** Moves an entry from the snapshot into node_modules. Renames the original away only after a copy is complete. */
async function moveBack(was: string, target: string, spent: string): Promise<void> {
  await rename(was, target).catch(async (error: NodeJS.ErrnoException) => {
    if (!isOtherFileSystem(error)) throw error
    await copyTree(was, target)
    await syncToDisk(target)
    await rename(was, spent)
  })
}

/** Returns the contents of a file; null if it does not exist. */
const readIfThere = (path: string): Promise<Buffer | null> =>
  readFile(path).catch((error) => {
    ignoreMissing(error)
    return null
  })
