import { readJournal } from '../transaction/journal.ts'
import { lockProfile, removeLeftOffers } from '../transaction/lock.ts'
import { undoInterrupted } from './interrupted.ts'
import { type LeftJob, takeLeftJobs } from './left.ts'

/**
 * Undoes what an ended host left unfinished in a profile, takes its notes of jobs that never began, and what else it left
 * there. What another process works on is left to it.
 *
 * @param home the harness home
 * @param directory the profile's directory
 * @returns how those jobs are told of, in the order they were asked for
 */
export async function recoverProfile(home: string, directory: string): Promise<LeftJob[]> {
  // What fails here fails again at the next install into the profile, which tells of it.
  const begun = await undoBegun(home, directory).catch(() => null)
  await removeLeftOffers(directory).catch(() => {})
  const left = await takeLeftJobs(directory).catch((): LeftJob[] => [])
  // It may have ended between the one note and the other.
  return begun === null ? left : [begun, ...left.filter(({ job }) => job.id !== begun.job.id)]
}

async function undoBegun(home: string, directory: string): Promise<LeftJob | null> {
  if ((await readJournal(directory)) === null) return null
  const lock = await lockProfile(directory, { wait: false })
  if (lock === null) return null
  return undoInterrupted(home, directory).finally(() => lock.release())
}
