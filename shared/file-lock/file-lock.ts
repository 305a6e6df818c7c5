import { randomUUID } from 'node:crypto'
import { open, readFile, rm, stat } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { isAbandoned, keepAlive, type Owner, thisProcess } from './owner.ts'

const POLL_MS = 100
/** Longer than it takes to remove a lock. */
const REMOVAL_MS = 10_000
const REMOVAL_POLL_MS = 20

interface LockOwner extends Owner {
  readonly id: string
}

export interface FileLockOptions {
  /** Stops waiting. */
  readonly signal?: AbortSignal
  /** @default true */
  readonly wait?: boolean
  /** Called once when another process has the lock, before waiting. */
  readonly onBusy?: () => void
  /** Longest time for which a running owner may leave the lock untouched, ms: it may hang. @default no limit */
  readonly maxSilenceMs?: number
}

export interface FileLock {
  release(): Promise<void>
}

/**
 * Acquires a lock between processes: a file that names its owner. Takes over a stale lock: its owner has ended, or it is
 * of another machine and was not touched for a minute. (proper-lockfile, unmaintained since 2021, uses only the time of
 * the file, so a killed process holds its lock for seconds, and a machine that slept loses it.)
 *
 * @param path the lock file
 * @returns null when it was not acquired: the signal aborted, or with `wait: false` another process holds it
 * @throws when the folder does not exist or cannot be written
 */
export async function acquireFileLock(path: string, options: FileLockOptions = {}): Promise<FileLock | null> {
  const { signal, wait = true, onBusy, maxSilenceMs = Number.POSITIVE_INFINITY } = options
  const owner: LockOwner = { id: randomUUID(), ...(await thisProcess()) }
  for (let isReported = false; !(await createFile(path, JSON.stringify(owner))); ) {
    if (await isStale(path, maxSilenceMs)) await removeStale(path, maxSilenceMs)
    else if (!wait) return null
    else {
      if (!isReported) onBusy?.()
      isReported = true
      await pause(POLL_MS, undefined, { ...(signal ? { signal } : {}) }).catch(() => {})
    }
    if (signal?.aborted) return null
  }
  const stopKeepingAlive = keepAlive(path)
  return {
    async release() {
      stopKeepingAlive()
      // Throws when it cannot be read, so that a caller can try again: it may be ours.
      const text = await readFile(path, 'utf8').catch((error) => {
        if (error.code !== 'ENOENT') throw error
        return ''
      })
      if (text.includes(owner.id)) await rm(path, { force: true })
    },
  }
}

/**
 * Creates a file exclusively. A hard link would be atomic with its content, but exFAT has none.
 *
 * @returns false when it exists already
 */
async function createFile(path: string, text: string): Promise<boolean> {
  const file = await open(path, 'wx').catch((error) => {
    if (error.code !== 'EEXIST') throw error
  })
  if (!file) return false
  try {
    try {
      await file.writeFile(text)
    } finally {
      await file.close()
    }
    return true
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

/** Returns true for a stale lock. A lock without a name, whose owner ended early, is stale after a minute untouched. */
async function isStale(path: string, maxSilenceMs: number): Promise<boolean> {
  if (await isAbandoned(path, await ownerOf(path))) return true
  const found = await stat(path).catch(() => null)
  return found !== null && Date.now() - found.mtimeMs > maxSilenceMs
}

/**
 * Removes a stale lock. Two processes that find the same stale lock must not remove each other's new one. So removing
 * has a lock of its own, under which the first is read again.
 */
async function removeStale(path: string, maxSilenceMs: number): Promise<void> {
  const removal = `${path}.removal`
  if (!(await createFile(removal, ''))) {
    const found = await stat(removal).catch(() => null)
    // Its owner ended between these few file operations.
    if (found && Date.now() - found.mtimeMs > REMOVAL_MS) await rm(removal, { force: true })
    return pause(REMOVAL_POLL_MS)
  }
  try {
    if (await isStale(path, maxSilenceMs)) await rm(path, { force: true })
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
