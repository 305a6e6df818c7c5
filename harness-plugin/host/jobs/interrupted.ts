import { readProfileState } from '../profiles/state.ts'
import { beforeDirectory, readJournal } from '../transaction/journal.ts'
import { endLeftovers } from '../transaction/leftovers.ts'
import { undo } from '../transaction/transaction.ts'
import { removeTrial } from '../trial/trial.ts'
import { forgetJob, type LeftJob } from './left.ts'
import { notStarted, profileOutcome } from './outcome.ts'

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
