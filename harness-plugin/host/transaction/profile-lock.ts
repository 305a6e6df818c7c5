import { mkdir } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { acquireFileLock, type FileLock, type FileLockOptions } from '@plugmark/shared/file-lock'
import { lockFile, removeEmptyStateFolder, stateFolder } from '../profile/state-folder.ts'

/** Attempts to release a lock, and the pause between them in ms: a virus scanner may hold the file. */
const RELEASES = 3
const RELEASE_PAUSE_MS = 100

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
    await mkdir(stateFolder(profile)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
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
}
