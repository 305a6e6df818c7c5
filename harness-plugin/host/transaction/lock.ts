import { randomUUID } from 'node:crypto'
import { link, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { hasEnded, type Owner, thisProcess } from './owner.ts'

const LOCK = '.plugmark.lock'
const POLL_MS = 200
/** How often an owner says that it is still there, for other machines that share the directory. */
const BEAT_MS = 10_000
const SILENT_MS = 60_000
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
  const offered = `${path}.${mine.id}`
  try {
    await writeFile(offered, JSON.stringify(mine))
    // A link makes the lock with its owner's name in it at once.
    for (let isTold = false; !(await linked(offered, path)); ) {
      if (await isLeftBehind(path)) await takeAway(path, offered)
      else if (!wait) return null
      else {
        if (!isTold) onBusy?.()
        isTold = true
        await pause(POLL_MS, undefined, { ...(signal ? { signal } : {}) }).catch(() => {})
      }
      if (signal?.aborted) return null
    }
  } finally {
    await rm(offered, { force: true })
  }
  const beat = setInterval(() => void utimes(path, new Date(), new Date()).catch(() => {}), BEAT_MS).unref()
  return {
    async release() {
      clearInterval(beat)
      if ((await ownerOf(path))?.id === mine.id) await rm(path, { force: true })
    },
  }
}

/** Removes what processes that ended while they waited for the lock left of that. */
export async function removeLeftOffers(profile: string): Promise<void> {
  const files = (await readdir(profile)).filter((name) => name.startsWith(`${LOCK}.`))
  for (const path of files.map((name) => join(profile, name))) {
    const owner = await ownerOf(path)
    if (owner && (await hasEnded(owner))) await rm(path, { force: true })
  }
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function isLeftBehind(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  if (found === null) return false
  const owner = await ownerOf(path)
  // A machine that slept is silent too; here the process itself can be asked for.
  const ended = owner && (await hasEnded(owner))
  return ended ?? Date.now() - found.mtimeMs > SILENT_MS
}

/**
 * Takes away a lock that was left behind. Two that found it so must not take away each other's new one, so one at a time
 * does it, and looks again.
 */
async function takeAway(path: string, offered: string): Promise<void> {
  const removal = `${path}.removal`
  if (!(await linked(offered, removal))) {
    const found = await stat(removal).catch(() => null)
    // Its maker ended in the middle of some file operations.
    if (found && Date.now() - found.ctimeMs > REMOVAL_MS) await rm(removal, { force: true })
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
