import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { processStart } from '@plugmark/shared/file-lock'
import { isSuccess } from '../../protocol/next-steps.ts'
import type { JobSettings } from '../harness/job.ts'
import { emptyOutcome, profileOutcome } from '../harness/outcome.ts'
import { NewerFile, UnreadableState } from '../json-file.ts'
import { endOrphanedProcesses } from '../process/run.ts'
import { ignoreMissing, readNames } from '../profile/files.ts'
import { readProfileState } from '../profile/state.ts'
import { hasUnfinishedJob, removeEmptyStateFolder, removeTrial, snapshotFolder } from '../profile/state-folder.ts'
import { addToHistory, readHistoryEntry } from './history.ts'
import {
  clearLeftovers,
  deleteJobFile,
  type OrphanedJob,
  readJournal,
  takeOrphanedJobs,
  withLockedProfile,
} from './journal.ts'
import { rollback } from './rollback.ts'

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
