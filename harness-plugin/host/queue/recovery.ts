import { readdir } from 'node:fs/promises'
import { lockProfile } from '../profile/profile-lock.ts'
import { undoInterrupted } from './interrupted.ts'
import { type LeftJob, takeLeftJobs } from './orphaned-jobs.ts'

/** How the names begin of all that jobs leave in a profile. */
const LEFT = '.plugmark'

export interface Recovered {
  /** Jobs to tell of, in the order they were asked for. */
  readonly left: readonly LeftJob[]
  /** Whether there is nothing more to look for; else another process is at it, or cannot be asked whether it still is. */
  readonly isOver: boolean
}

/**
 * Undoes what an ended host left unfinished in a profile, takes its notes of jobs that never began, and what else it left
 * there. What another process works on is left to it.
 *
 * @param home the harness home
 * @param directory the profile's directory
 */
export async function recoverProfile(home: string, directory: string): Promise<Recovered> {
  try {
    if (!(await readdir(directory)).some((name) => name.startsWith(LEFT))) return { left: [], isOver: true }
    const lock = await lockProfile(directory, { wait: false })
    const begun =
      lock &&
      (await undoInterrupted(home, directory)
        .catch(() => null)
        .finally(() => lock.release()))
    const { left, others } = await takeLeftJobs(directory)
    return { left: begun === null ? left : [begun, ...left], isOver: lock !== null && !others }
  } catch {
    // What fails here fails again at the next install into the profile, which tells of it.
    return { left: [], isOver: true }
  }
}
