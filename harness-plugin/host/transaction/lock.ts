import { randomUUID } from 'node:crypto'
import { link, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startOf } from './process-start.ts'

const POLL_MS = 200
/** How often an owner says that it is still there, for other machines that share the directory. */
const BEAT_MS = 10_000
const SILENT_MS = 60_000
/** Longer than taking a lock away takes. */
const REMOVAL_MS = 10_000
const REMOVAL_POLL_MS = 20

interface Owner {
  readonly id: string
  readonly host: string
  readonly pid: number
  /** When that process started; tells it from another one that got its pid. Null where that cannot be told. */
  readonly start: string | null
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
 * @returns null when it was not had: the signal came, or with `wait: false` somebody else has it
 * @throws when the directory is not there or cannot be written
 */
export async function lockProfile(
  profile: string,
  { signal, wait = true }: { signal?: AbortSignal; wait?: boolean } = {},
): Promise<ProfileLock | null> {
  const path = join(profile, '.plugmark.lock')
  const mine: Owner = { id: randomUUID(), host: hostname(), pid: process.pid, start: await startOf(process.pid) }
  const offered = `${path}.${mine.id}`
  try {
    await writeFile(offered, JSON.stringify(mine))
    // A link makes the lock with its owner's name in it at once.
    while (!(await linked(offered, path))) {
      if (await isLeftBehind(path)) await takeAway(path, offered)
      else if (!wait) return null
      else await pause(POLL_MS, undefined, { ...(signal ? { signal } : {}) }).catch(() => {})
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
  if (owner?.host !== hostname()) return Date.now() - found.mtimeMs > SILENT_MS
  // A machine that slept is silent too; here the process itself can be asked for.
  const start = await startOf(owner.pid)
  return start === null || (owner.start !== null && start !== owner.start)
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

async function ownerOf(path: string): Promise<Owner | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch {
    return null
  }
}
