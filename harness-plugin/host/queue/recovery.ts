import { readdir } from 'node:fs/promises'
import { deleteJobFile, type OrphanedJob, takeOrphanedJobs } from '../job/job-file.ts'
import { emptyOutcome, profileOutcome } from '../job/outcome.ts'
import { endOrphanedProcesses } from '../process/orphaned-processes.ts'
import { lockProfile } from '../profile/home.ts'
import { readProfileState } from '../profile/state.ts'
import { readJournal, snapshotDirectory } from '../snapshot/journal.ts'
import { rollback } from '../snapshot/rollback.ts'
import { removeTrial } from '../trial/copy.ts'

/** How the names of all begin that jobs leave in a profile. */
const PREFIX = '.plugmark'

export interface Recovered {
  /** Jobs to report, in the order they were requested. */
  readonly jobs: readonly OrphanedJob[]
  /** False when another process may still be working on the profile, so that it is to be looked at again. */
  readonly isComplete: boolean
}

/**
 * Recovers a profile after a host ended: rolls back the job that was running, and takes the files of jobs that never
 * began. What another process works on is left to it.
 *
 * @param home the harness home
 * @param directory the profile's directory
 */
export async function recoverProfile(home: string, directory: string): Promise<Recovered> {
  try {
    if (!(await readdir(directory)).some((name) => name.startsWith(PREFIX))) return { jobs: [], isComplete: true }
    const lock = await lockProfile(directory, { wait: false })
    const interrupted =
      lock &&
      (await rollbackInterrupted(home, directory)
        .catch(() => null)
        .finally(() => lock.release()))
    const { orphaned, hasOthers } = await takeOrphanedJobs(directory)
    const jobs = interrupted === null ? orphaned : [interrupted, ...orphaned]
    return { jobs, isComplete: lock !== null && !hasOthers }
  } catch {
    // What fails here fails again at the next install into the profile, which reports it.
    return { jobs: [], isComplete: true }
  }
}

/**
 * Rolls back the job of a journal whose host ended.
 *
 * @param home the harness home
 * @param directory the profile's directory, which this process has locked
 * @returns null when there is no journal
 * @throws Unreadable when there is one that cannot be read
 */
export async function rollbackInterrupted(home: string, directory: string): Promise<OrphanedJob | null> {
  const journal = await readJournal(directory)
  if (journal === null) return null
  const { job, spec, snapshot } = journal
  // Its host may have ended between writing the journal and deleting the file.
  await deleteJobFile(directory, job.id).catch(() => {})
  const before = await readProfileState(snapshot === null ? directory : snapshotDirectory(directory))
  const hasEnded = await endOrphanedProcesses(job.id)
  await removeTrial(home, job.id)
  const rolledBack = hasEnded ? await rollback(directory) : ({ rollback: 'failed' } as const)
  const now = await readProfileState(directory)
  const profile = before && now && profileOutcome({ spec, before, after: now })
  return { job, outcome: { ...emptyOutcome('interrupted'), ...rolledBack, profile } }
}
