import { emptyOutcome, profileOutcome } from '../job/read-outcome.ts'
import { endOrphanedProcesses } from '../process/orphaned-processes.ts'
import { readProfileState } from '../profile/state.ts'
import { hasUnfinishedJob, removeEmptyStateFolder, snapshotFolder } from '../profile/state-folder.ts'
import { removeTrial } from '../trial/copy.ts'
import { deleteJobFile, type OrphanedJob, takeOrphanedJobs } from './job-files.ts'
import { recordJob } from './job-history.ts'
import { clearLeftovers, readJournal } from './journal.ts'
import { withLockedProfile } from './profile-lock.ts'
import { rollback } from './rollback.ts'

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
