import { notStarted, profileOutcome } from '../job/outcome.ts'
import { endLeftovers } from '../process/orphaned-processes.ts'
import { readProfileState } from '../profile/state.ts'
import { beforeDirectory, readJournal } from '../snapshot/journal.ts'
import { undo } from '../snapshot/snapshot.ts'
import { removeTrial } from '../trial/trial.ts'
import { forgetJob, type LeftJob } from './orphaned-jobs.ts'

/**
 * Undoes the job that a journal tells of: its host ended in the middle of it.
 *
 * @param home the harness home
 * @param directory the profile's directory, which this process has locked
 * @returns null when there is no journal
 * @throws Unreadable when there is one that cannot be read
 */
export async function undoInterrupted(home: string, directory: string): Promise<LeftJob | null> {
  const journal = await readJournal(directory)
  if (journal === null) return null
  const { job, spec, aside } = journal
  // Its host may have ended between the one note and the other.
  await forgetJob(directory, job.id).catch(() => {})
  const before = await readProfileState(aside === null ? directory : beforeDirectory(directory))
  const ended = await endLeftovers(job.id)
  await removeTrial(home, job.id)
  const undone = ended ? await undo(directory) : ({ undo: 'failed' } as const)
  const now = await readProfileState(directory)
  const profile = before && now && profileOutcome({ spec, before, after: now })
  return { job, outcome: { ...notStarted('interrupted'), ...undone, profile } }
}
