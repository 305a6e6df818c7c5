import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  acquireFileLock,
  type FileLock,
  type FileLockOptions,
  isAbandoned,
  isLocked,
  keepAlive,
  type Owner,
  OwnerSchema,
  syncFolder,
  syncToDisk,
  writeFileAtomic,
} from '@plugmark/shared/file-lock'
import type { InstallSpec } from '@plugmark/shared/install'
import * as v from 'valibot'
import type { Job, Outcome, RollbackResult } from '../../protocol/index.ts'
import { JOB_ACTIONS, PROFILE_ACTIONS } from '../../protocol/jobs.ts'
import { emptyOutcome } from '../harness/outcome.ts'
import { NewerFile, readStrict, TimeSchema } from '../json-file.ts'
import { ignoreExisting, readNames } from '../profile/files.ts'
import { HoldChangesSchema } from '../profile/holds.ts'
import { FILES_OF_OTHERS, hashFiles, type ProfileState } from '../profile/state.ts'
import {
  jobsFolder,
  journalFile,
  lockFile,
  removeEmptyStateFolder,
  scratchFolder,
  snapshotFolder,
  stateFolder,
  undoFolder,
} from '../profile/state-folder.ts'

/**
 * Keeps how far a job is in its profile’s state folder, from the queue to its end:
 *
 * 1. `jobs/ID.json`, while it waits;
 * 2. `journal.json`, while it runs: without a snapshot the profile is unchanged, with one it can be restored;
 * 3. `undo/change.json`, after it changed the profile, until the next job has changed it.
 *
 * What stays of it is in `history.ts`. A process that finds one of them, without the process that wrote it, knows what to do.
 */

// The files of the state folder.

/** Format of the files that this module writes. */
export const STATE_FORMAT = 7

/** Reads a file of the state folder that this module writes. @throws like `readStrict` */
const readStateFile = <T>(path: string, schema: v.GenericSchema<unknown, T>): Promise<T | null> =>
  readStrict(path, { schema, version: STATE_FORMAT })

/** Writes a file of a profile's state folder atomically, so that it survives a power cut. */
export async function writeStateFile(path: string, content: { readonly version: number }): Promise<void> {
  const temporary = `${path}${TEMPORARY}`
  await rm(temporary, { force: true })
  await writeFileAtomic(path, JSON.stringify(content), { temporary })
}

/** Suffix of the name of a file that is being written. */
const TEMPORARY = '.tmp'

// The lock: one process at a time changes a profile.

/** Attempts to release a lock, and the pauses between and after them in ms: a virus scanner may hold the file. */
const RELEASES = 3
const RELEASE_PAUSE_MS = 100
const RELEASE_LATER_MS = 1000

/**
 * Runs work while a profile is locked against other processes that have a store.
 *
 * @param profile the profile's directory
 * @returns null when the lock was not acquired: the signal was aborted, or with `wait: false` another process has it
 * @throws errors of the work, and when the directory does not exist or cannot be written. Never throws because the lock
 *   cannot be released, because the work is done by then.
 */
export async function withLockedProfile<T>(
  profile: string,
  options: FileLockOptions,
  work: () => Promise<T>,
): Promise<T | null> {
  const lock = await lockProfile(profile, options)
  if (lock === null) return null
  try {
    return await work()
  } finally {
    await release(lock)
    await removeEmptyStateFolder(profile)
  }
}

/**
 * Locks a profile against other processes that have a store. Retries when another process removes the empty state
 * folder in between.
 */
export async function lockProfile(profile: string, options: FileLockOptions = {}): Promise<FileLock | null> {
  for (;;) {
    // Not recursive, to avoid creating a deleted profile again.
    await mkdir(stateFolder(profile)).catch(ignoreExisting)
    try {
      const lock = await acquireFileLock(lockFile(profile), options)
      if (lock === null) await removeEmptyStateFolder(profile)
      return lock
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
}

async function release(lock: FileLock): Promise<void> {
  for (let attempt = 1; attempt <= RELEASES; attempt++) {
    try {
      return await lock.release()
    } catch {
      await pause(RELEASE_PAUSE_MS)
    }
  }
  // Only the lock of a process that has ended is taken over: this one would keep every later job waiting.
  setTimeout(() => void release(lock), RELEASE_LATER_MS).unref()
}

// 1. The job waits.

/** Facts of a job that a later host reports. */
const JobInfoSchema = v.object({
  id: v.pipe(v.string(), v.uuid()),
  action: v.picklist([...JOB_ACTIONS, ...PROFILE_ACTIONS]),
  listing: v.nullable(v.string()),
  more: v.pipe(v.array(v.string()), v.readonly()),
  command: v.nullable(v.string()),
  queuedAt: TimeSchema,
  startedAt: TimeSchema,
})
export type JobInfo = v.InferOutput<typeof JobInfoSchema>

const JobFileSchema = v.object({
  version: v.literal(STATE_FORMAT),
  job: v.object({ ...JobInfoSchema.entries, startedAt: v.nullable(TimeSchema) }),
  /** Process that has the job in its queue; null when that process gave it up. */
  owner: v.nullable(OwnerSchema),
  /** Result of its rollback; null when it made no changes. */
  rollback: v.nullable(
    v.picklist(['complete', 'partial', 'changed', 'unreadable'] satisfies readonly RollbackResult[]),
  ),
})
type JobFile = v.InferOutput<typeof JobFileSchema>

const pathOf = (profile: string, id: string): string => join(jobsFolder(profile), `${id}.json`)

/**
 * Stores a job without a journal in its profile: before the job begins, and when a closing host gives it up. Optional:
 * if the file cannot be written, the job continues.
 *
 * @param profile the profile's directory
 * @param owner the process that will run it; null for none
 */
export async function writeJobFile(
  profile: string,
  { id, action, listing, more, command, queuedAt, startedAt }: Pick<Job, keyof JobFile['job']>,
  { owner, rollback = null }: { owner: Owner | null; rollback?: JobFile['rollback'] },
): Promise<void> {
  const job = { id, action, listing, more, command, queuedAt, startedAt }
  const text = JSON.stringify({ version: STATE_FORMAT, job, owner, rollback } satisfies JobFile)
  // Another process may remove an empty folder in between.
  for (let attempt = 0; attempt < 3; attempt++) {
    // Not recursive, to avoid creating a deleted profile again.
    try {
      for (const folder of [stateFolder(profile), jobsFolder(profile)]) await mkdir(folder).catch(ignoreExisting)
      return await writeFile(pathOf(profile, id), text)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return
    }
  }
}

/**
 * Shows other hosts that the job's process is alive while the job waits.
 *
 * @returns a function that stops this
 */
export const keepJobFileAlive = (profile: string, id: string): (() => void) => keepAlive(pathOf(profile, id))

/** Returns the ids of the jobs of a profile that have a file. */
export async function queuedJobIds(profile: string): Promise<string[]> {
  const names = await readNames(jobsFolder(profile))
  return names.map((name) => name.replace(/\.json$/, ''))
}

/**
 * Reads the job that another process runs on a profile. One that waits there changes nothing yet.
 *
 * @param isOwn returns true for the id of a job of this process
 */
export async function readOtherJob(profile: string, isOwn: (id: string) => boolean): Promise<JobFile['job'] | null> {
  // A lock of a process that ended stays until the next job: nothing changes the profile meanwhile.
  const isRunning = await isLocked(lockFile(profile)).catch(() => false)
  const journal = isRunning ? await readJournal(profile).catch(() => null) : null
  return journal === null || journal.isCheck || isOwn(journal.job.id) ? null : journal.job
}

export const deleteJobFile = (profile: string, id: string): Promise<void> => rm(pathOf(profile, id), { force: true })

/** A job whose host ended, and the outcome to report. */
export interface OrphanedJob {
  readonly job: JobFile['job']
  readonly outcome: Outcome
}

/**
 * Reads and deletes the files of jobs that no process will run any more.
 *
 * @returns those jobs, oldest first, and true if there are files of jobs that another process may still run
 */
export async function takeOrphanedJobs(
  profile: string,
): Promise<{ readonly orphaned: OrphanedJob[]; readonly hasOthers: boolean }> {
  const names = await readNames(jobsFolder(profile))
  const orphaned: OrphanedJob[] = []
  let hasOthers = false
  for (const path of names.map((name) => join(jobsFolder(profile), name))) {
    const file = await readJobFile(path)
    if (file === 'newer') continue
    if (file?.owner !== null && !(await isAbandoned(path, file?.owner ?? null))) {
      hasOthers = true
      continue
    }
    await rm(path, { force: true })
    if (file !== null) orphaned.push({ job: file.job, outcome: outcomeOf(file) })
  }
  return { orphaned: orphaned.sort((a, b) => a.job.queuedAt - b.job.queuedAt), hasOthers }
}

const outcomeOf = ({ rollback }: JobFile): Outcome => ({ ...emptyOutcome('interrupted'), rollback })

/** Returns null for a file that cannot be parsed: its host may be writing it. */
async function readJobFile(path: string): Promise<JobFile | 'newer' | null> {
  try {
    return await readStateFile(path, JobFileSchema)
  } catch (error) {
    return error instanceof NewerFile ? 'newer' : null
  }
}

// 2. The job runs.

const SpecSchema: v.GenericSchema<unknown, InstallSpec> = v.variant('kind', [
  v.object({ kind: v.literal('npm'), name: v.string() }),
  v.object({ kind: v.literal('github'), owner: v.string(), repo: v.string() }),
])

const SnapshotSchema = v.object({
  /** Names in node_modules; null when there was none. */
  modules: v.nullable(v.array(v.string())),
  /** Other files that the job writes, or writes as a whole: they are restored byte for byte. */
  files: v.optional(v.array(v.string()), []),
  /** Holds of the plugins that the job holds or no longer holds, as they were before it. */
  holds: v.optional(HoldChangesSchema, {}),
})

const JournalSchema = v.object({
  version: v.literal(STATE_FORMAT),
  job: JobInfoSchema,
  /** Shell that runs it; empty when it is unknown. */
  client: v.optional(v.string(), ''),
  /** True for a check of the profile, which is not reported as a job. */
  isCheck: v.optional(v.boolean(), false),
  /** Plugins that the job changes. */
  specs: v.array(SpecSchema),
  /** Null until there is a snapshot; until then the profile is unchanged. */
  snapshot: v.nullable(SnapshotSchema),
})

/** The journal of a job. It exists until the job has ended, and says how to restore the profile. */
export type Journal = v.InferOutput<typeof JournalSchema>

/**
 * Reads the journal of a profile.
 *
 * @returns null if there is none: no job has begun, or it has ended
 * @throws UnreadableState, NewerFile
 */
export const readJournal = (profile: string): Promise<Journal | null> =>
  readStateFile(journalFile(profile), JournalSchema)

export const writeJournal = (profile: string, journal: Journal): Promise<void> =>
  writeStateFile(journalFile(profile), journal)

/**
 * Creates the journal of a job. The profile may be changed only once the journal has a snapshot.
 *
 * @param profile the profile's directory, which this process has locked
 * @throws when it cannot be written; then no part of it is left
 */
export async function beginJournal(
  profile: string,
  job: Pick<Job, keyof JobInfo>,
  specs: readonly InstallSpec[],
  { client = '', isCheck = false }: Partial<Pick<Journal, 'client' | 'isCheck'>> = {},
): Promise<Journal> {
  if ((await readJournal(profile)) !== null) throw new Error('an earlier job could not be rolled back')
  await clearLeftovers(profile)
  const { id, action, listing, more, command, queuedAt, startedAt } = job
  const info = { id, action, listing, more, command, queuedAt, startedAt: startedAt ?? queuedAt }
  const journal: Journal = { version: STATE_FORMAT, job: info, client, isCheck, specs: [...specs], snapshot: null }
  try {
    await writeJournal(profile, journal)
    return journal
  } catch (error) {
    // If this fails too, the next job finds a journal without a snapshot.
    await rm(journalFile(profile), { force: true }).catch(() => {})
    throw error
  }
}

/** Deletes the journal, which ends the job. */
async function deleteJournal(profile: string): Promise<void> {
  await rm(journalFile(profile), { force: true })
  await syncFolder(stateFolder(profile))
}

// 3. The job has ended.

const LastChangeSchema = v.object({
  version: v.literal(STATE_FORMAT),
  job: JobInfoSchema,
  specs: v.array(SpecSchema),
  snapshot: SnapshotSchema,
  endedAt: TimeSchema,
  /** Hashes of the profile's files, and of the job's own, after the job; null for a missing file. */
  files: v.record(v.string(), v.nullable(v.string())),
})
/** Last job that changed a profile. Its snapshot is in the undo folder, with all of node_modules. */
export type LastChange = v.InferOutput<typeof LastChangeSchema>

/**
 * Ends a job so that the profile stays as it is now. Keeps its snapshot for an undo, in place of the previous one.
 *
 * @param after the profile as it is now
 * @throws when the job cannot be ended; then the journal still exists
 */
export async function commit(profile: string, { job, specs, snapshot }: Journal, after: ProfileState): Promise<void> {
  if (snapshot !== null) {
    const change = {
      version: STATE_FORMAT,
      job,
      specs,
      snapshot,
      endedAt: Date.now(),
      files: { ...Object.fromEntries(after.files), ...(await hashFiles(profile, snapshot.files)) },
    }
    // On a full disk neither this change nor the one before can be undone; then the snapshot is deleted below.
    await writeStateFile(changeFile(snapshotFolder(profile)), change).catch(() => dropUndo(profile))
  }
  // Neither the harness nor the package manager syncs the files that it writes.
  await syncToDisk(profile, join(profile, 'node_modules'))
  await deleteJournal(profile)
  // Optional: the next job clears the rest.
  await clearLeftovers(profile).catch(() => {})
}

/** Ends a job whose profile is unchanged, or has no change that an undo could revert. */
export async function endUnchanged(profile: string): Promise<void> {
  await rm(changeFile(snapshotFolder(profile)), { force: true })
  await deleteJournal(profile)
  // Optional, as above.
  await clearLeftovers(profile).catch(() => {})
}

/**
 * Reads the change that an undo would revert.
 *
 * @returns null if none is kept
 * @throws UnreadableState, NewerFile
 */
export const readLastChange = (profile: string): Promise<LastChange | null> =>
  readStateFile(changeFile(undoFolder(profile)), LastChangeSchema)

/** Returns the names of files that jobs write and another program has changed since. */
export async function changedSince(profile: string, { files }: LastChange): Promise<string[]> {
  const own = Object.keys(files).filter((file) => !FILES_OF_OTHERS.includes(file))
  const now = await hashFiles(profile, own)
  return own.filter((file) => files[file] !== now[file])
}

/** Returns the file in a snapshot that describes the change. Only the snapshot of a committed job has it. */
export const changeFile = (snapshot: string): string => join(snapshot, 'change.json')

/**
 * Clears the leftovers of a job without a journal. Keeps the snapshot of a committed job for an undo, and deletes any
 * other.
 */
export async function clearLeftovers(profile: string): Promise<void> {
  const names = await readNames(stateFolder(profile))
  const snapshot = snapshotFolder(profile)
  if (names.includes('snapshot')) {
    if ((await readdir(snapshot)).includes('change.json')) {
      await dropUndo(profile)
      await rename(snapshot, undoFolder(profile))
    } else await rm(snapshot, { recursive: true, force: true })
  }
  await rm(scratchFolder(profile), { recursive: true, force: true })
  for (const name of names) if (name.endsWith(TEMPORARY)) await rm(join(stateFolder(profile), name), { force: true })
}

/** Deletes the snapshot of the last change. */
export async function dropUndo(profile: string): Promise<void> {
  // Delete this first, so that a partly deleted snapshot is never restored.
  await rm(changeFile(undoFolder(profile)), { force: true })
  await rm(undoFolder(profile), { recursive: true, force: true })
}
