/** The state that the store keeps, in a profile and in the home. A harness loads this file at every start: no library. */
import { readdir, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Folder in a profile that holds all state of the store. */
const STATE_FOLDER = '.plugmark'

export const stateFolder = (profile: string): string => join(profile, STATE_FOLDER)
export const lockFile = (profile: string): string => join(stateFolder(profile), 'lock')
/** Queued jobs, one file each. */
export const jobsFolder = (profile: string): string => join(stateFolder(profile), 'jobs')
/** Exists from the beginning of a job to its end. */
export const journalFile = (profile: string): string => join(stateFolder(profile), 'journal.json')
/** The profile as it was before the running job. */
export const snapshotFolder = (profile: string): string => join(stateFolder(profile), 'snapshot')
/** Files that a rollback is moving out of the profile or into it. */
export const scratchFolder = (profile: string): string => join(stateFolder(profile), 'scratch')
/** The snapshot of the last change, kept for an undo. */
export const undoFolder = (profile: string): string => join(stateFolder(profile), 'undo')
/** Build scripts that stopped a job, by listing. */
export const blockedBuildsFile = (profile: string): string => join(stateFolder(profile), 'blocked-builds.json')
/** Versions that the user holds, by package. */
export const holdsFile = (profile: string): string => join(stateFolder(profile), 'holds.json')
/** Setting and result of the check for updates. */
export const updatesFile = (profile: string): string => join(stateFolder(profile), 'updates.json')

/** Jobs that ran on the profile, with their logs. */
export const historyFolder = (profile: string): string => join(stateFolder(profile), 'history')

/** Entries that stay between two jobs. */
const KEPT = ['undo', 'blocked-builds.json', 'holds.json', 'updates.json', 'history']

/**
 * Returns true if the profile holds state of a job that has not ended, so that recovery has work to do. Returns false
 * for a profile that cannot be read.
 */
export async function hasUnfinishedJob(profile: string): Promise<boolean> {
  // A folder that cannot be read is reported by the next job.
  const names = await readdir(stateFolder(profile)).catch((): string[] => [])
  // A kept file may have its lock, its next content and a broken earlier one beside it.
  return names.some((name) => !KEPT.some((kept) => name === kept || name.startsWith(`${kept}.`)))
}

/** Returns true if a profile of a harness home holds such state. */
export async function hasUnfinishedJobs(home: string): Promise<boolean> {
  const profiles = join(home, 'profiles')
  // A home without profiles has nothing to recover.
  const names = await readdir(profiles).catch((): string[] => [])
  const unfinished = await Promise.all(names.map((name) => hasUnfinishedJob(join(profiles, name))))
  return unfinished.includes(true)
}

/** Removes the state folder of a profile if it is empty. */
export async function removeEmptyStateFolder(profile: string): Promise<void> {
  // Not empty, or not there.
  for (const folder of [jobsFolder(profile), scratchFolder(profile), stateFolder(profile)])
    await rmdir(folder).catch(() => {})
}

// The folder of a trial is beside the profiles.

/**
 * Returns the home of a job's trial. It is inside the harness's home, so that the package manager uses the same store,
 * and outside the profile, because Node would find the profile's modules from a copy inside it.
 */
export const trialHome = (home: string, job: string): string => join(home, '.plugmark', job)

export async function removeTrial(home: string, job: string): Promise<void> {
  const directory = trialHome(home, job)
  // The doctor deletes what stays, for example a file that Windows has open.
  await rm(directory, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
  // The trial of another job may be beside it.
  await rmdir(dirname(directory)).catch(() => {})
}

/**
 * Removes the trials of jobs without a journal in any profile: a journal is written before the trial's folder is
 * created, and deleted after the folder is removed.
 *
 * @param isJob resolves with true for a job that has a journal in a profile
 * @returns the ids of those jobs
 */
export async function removeLeftTrials(home: string, isJob: (id: string) => Promise<boolean>): Promise<string[]> {
  const removed: string[] = []
  // A home in which nothing was tried has no such folder.
  for (const id of await readdir(join(home, '.plugmark')).catch((): string[] => [])) {
    if (!/^[0-9a-f-]{36}$/.test(id) || (await isJob(id))) continue
    await removeTrial(home, id)
    removed.push(id)
  }
  return removed
}

// In the home, for every store of it.

/** Folder in the harness home that every store of this home shares: in the harness, in a console, on the command line. */
const SHARED_FOLDER = 'plugmark'

/** Returns the path of a file that all stores of a home share. */
export const sharedFile = (home: string, name: string): string => join(home, SHARED_FOLDER, name)

/** File in which plugins that ran under a version of the harness are kept; see `run-records.ts`. */
export const lastSeenFile = (home: string): string => sharedFile(home, 'last-seen.json')
