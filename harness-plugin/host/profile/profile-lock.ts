import { randomUUID } from 'node:crypto'
import { open, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isAbandoned, keepAlive, type Owner, thisProcess } from '../process/owner.ts'

const LOCK = '.plugmark.lock'
const POLL_MS = 200
/** Longer than taking a lock away takes. */
const REMOVAL_MS = 10_000
const REMOVAL_POLL_MS = 20

interface LockOwner extends Owner {
  readonly id: string
}

export interface ProfileLock {
  release(): Promise<void>
}

/**
 * Waits until no other process works on a profile. The lock is a file in the profile that names its owner; one whose
 * owner no longer runs is taken over, and one of another machine when it was silent for a minute.
 *
 * @param profile the profile's directory
 * @param signal ends the waiting
 * @param onBusy told once when somebody else has it, before waiting for that
 * @returns null when it was not had: the signal came, or with `wait: false` somebody else has it
 * @throws when the directory is not there or cannot be written
 */
export async function lockProfile(
  profile: string,
  { signal, wait = true, onBusy }: { signal?: AbortSignal; wait?: boolean; onBusy?: () => void } = {},
): Promise<ProfileLock | null> {
  const path = join(profile, LOCK)
  const mine: LockOwner = { id: randomUUID(), ...(await thisProcess()) }
  for (let isTold = false; !(await createFile(path, JSON.stringify(mine))); ) {
    if (await isLeftBehind(path)) await takeAway(path)
    else if (!wait) return null
    else {
      if (!isTold) onBusy?.()
      isTold = true
      await pause(POLL_MS, undefined, { ...(signal ? { signal } : {}) }).catch(() => {})
    }
    if (signal?.aborted) return null
  }
  const stopBeat = keepAlive(path)
  return {
    async release() {
      stopBeat()
      if ((await ownerOf(path))?.id === mine.id) await rm(path, { force: true })
    },
  }
}

/**
 * Not by a hard link, which would make it whole at once: exFAT has none.
 *
 * @returns false when there is one already
 */
async function createFile(path: string, text: string): Promise<boolean> {
  const file = await open(path, 'wx').catch((error) => {
    if (error.code !== 'EEXIST') throw error
  })
  if (!file) return false
  try {
    await file.writeFile(text)
    return true
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
}

/** One whose owner has ended before it wrote its name is known by its silence. */
const isLeftBehind = async (path: string): Promise<boolean> => isAbandoned(path, await ownerOf(path))

/**
 * Takes away a lock that was left behind. Two that found it so must not take away each other's new one, so one at a time
 * does it, and looks again.
 */
async function takeAway(path: string): Promise<void> {
  const removal = `${path}.removal`
  if (!(await createFile(removal, ''))) {
    const found = await stat(removal).catch(() => null)
    // Its maker ended in the middle of some file operations.
    if (found && Date.now() - found.mtimeMs > REMOVAL_MS) await rm(removal, { force: true })
    return pause(REMOVAL_POLL_MS)
  }
  try {
    if (await isLeftBehind(path)) await rm(path, { force: true })
  } finally {
    await rm(removal, { force: true })
  }
}

async function ownerOf(path: string): Promise<LockOwner | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch {
    return null
  }
}
