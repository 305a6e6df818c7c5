import { randomUUID } from 'node:crypto'
import type { Stats } from 'node:fs'
import { mkdir, open, readFile, readlink, rename, rm, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { kill, pid } from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import * as v from 'valibot'
import { inProcessLock, type Lock } from '../async/index.ts'
import { retryWhileOpen } from './write-file.ts'

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
 * of another machine, or of a system that does not tell, and was not touched for a minute. (proper-lockfile, unmaintained
 * since 2021, uses only the time of the file, so a killed process holds its lock for seconds, and a machine that slept
 * loses it.)
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
      // Rejects when the signal aborts, which is checked below.
      await pause(POLL_MS, undefined, { ...(signal ? { signal } : {}) }).catch(() => {})
    }
    if (signal?.aborted) return null
  }
  const stopKeepingAlive = keepAlive(path)
  return {
    async release() {
      stopKeepingAlive()
      // Throws when it cannot be read, so that a caller can try again: it may be ours.
      const text = await readFile(path, 'utf8').catch(ignoreMissing)
      if (text?.includes(owner.id)) await rm(path, { force: true })
    },
  }
}

/**
 * Creates a file exclusively. A hard link would be atomic with its content, but exFAT has none.
 *
 * @returns false when it exists already
 */
async function createFile(path: string, text: string): Promise<boolean> {
  // On Windows a file that was just removed may still be open elsewhere, and then none can be created in its place.
  const file = await retryWhileOpen(() => open(path, 'wx')).catch((error) => {
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
  const found = await statIfThere(path)
  return found !== undefined && Date.now() - found.mtimeMs > maxSilenceMs
}

/**
 * Removes a stale lock. Two processes that find the same stale lock must not remove each other's new one. So removing
 * has a lock of its own, under which the first is read again.
 */
async function removeStale(path: string, maxSilenceMs: number): Promise<void> {
  const removal = `${path}.removal`
  if (!(await createFile(removal, ''))) {
    const found = await statIfThere(removal)
    // Its owner ended between these few file operations.
    if (found && ageOf(found) > REMOVAL_MS) await takeAway(removal, found)
    return pause(REMOVAL_POLL_MS)
  }
  try {
    if (await isStale(path, maxSilenceMs)) await rm(path, { force: true })
  } finally {
    await rm(removal, { force: true })
  }
}

/**
 * Removes a file that was looked at before. Renames it first, which only one process can do: another one may have
 * removed it meanwhile and made its own.
 */
async function takeAway(path: string, { mtimeMs, ino }: Pick<Stats, 'mtimeMs' | 'ino'>): Promise<void> {
  const aside = `${path}.${randomUUID()}`
  if ((await rename(path, aside).then(() => true, ignoreMissing)) === undefined) return
  const taken = await stat(aside)
  if (taken.mtimeMs === mtimeMs && taken.ino === ino) await rm(aside, { force: true })
  else await rename(aside, path)
}

async function ownerOf(path: string): Promise<LockOwner | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch {
    // It is gone, or its owner is writing it.
    return null
  }
}

/** Returns true while a process that has not ended has a lock. Takes and removes nothing. */
export const isLocked = async (path: string): Promise<boolean> =>
  (await statIfThere(path)) !== undefined && !(await isAbandoned(path, await ownerOf(path)))

/** Returns the time since a file was touched in ms; also that until then, of a file from before a clock was set back. */
const ageOf = ({ mtimeMs }: Stats): number => Math.abs(Date.now() - mtimeMs)

const statIfThere = (path: string) => stat(path).catch(ignoreMissing)

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

// The process that owns a file.

/** Time between two touches of an owner's file, for hosts that cannot inspect its process. */
const HEARTBEAT_MS = 10_000
/** An owner whose file was not touched for this long counts as ended. */
const STALE_MS = 60_000
/**
 * Time for which this process must have watched such a file, in ms, and the longest gap in that: when a machine wakes, its
 * owner may be about to touch it.
 */
const WATCHED_MS = 1.5 * HEARTBEAT_MS
const GAP_MS = 1.5 * HEARTBEAT_MS

/** The process that owns a file in a profile. */
export interface Owner {
  /** The machine or the container in which `pid` is valid. */
  readonly host: string
  readonly pid: number
  /** Start of that process, which distinguishes it from a later one with the same pid. Null when it is unknown. */
  readonly start: string | null
}

export const OwnerSchema: v.GenericSchema<unknown, Owner> = v.object({
  host: v.string(),
  pid: v.pipe(v.number(), v.integer()),
  start: v.nullable(v.string()),
})

export const thisProcess = async (): Promise<Owner> => ({
  host: await thisHost(),
  pid,
  start: await processStart(pid),
})

/**
 * Returns an id of this host. On Linux the boot and the pid namespace: a machine may change its name, and containers may
 * share one. Elsewhere the host's name.
 */
async function thisHost(): Promise<string> {
  try {
    const [boot, namespace] = await Promise.all([
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
      readlink('/proc/self/ns/pid'),
    ])
    return `${boot.trim()} ${namespace}`
  } catch {
    return hostname()
  }
}

/**
 * Returns true if a process has ended; null when that is unknown: it runs on another host, or the system has no /proc,
 * where its pid may belong to another program (within minutes on Windows, after a restart on macOS).
 */
async function hasEnded(owner: Owner): Promise<boolean | null> {
  if (owner.host !== (await thisHost())) return null
  const start = await processStart(owner.pid)
  if (start === UNKNOWN_START && owner.pid !== pid) return null
  return start === null || (owner.start !== null && start !== owner.start)
}

/** Start of any process on a system without /proc. */
const UNKNOWN_START = ''

/**
 * Touches a file regularly, so that other hosts see that its owner is alive.
 *
 * @returns a function that stops it
 */
export function keepAlive(path: string): () => void {
  // The next touch may succeed.
  const touch = () => void utimes(path, new Date(), new Date()).catch(() => {})
  const timer = setInterval(touch, HEARTBEAT_MS).unref()
  return () => clearInterval(timer)
}

/**
 * Returns true if the owner of a file is gone: its process has ended or, if that is unknown, the file was not touched
 * for a minute. With /proc only the process counts, because a machine that slept touches nothing. Without it, a file
 * that looks untouched must stay so while this process looks at it for 15 seconds, with no gap in which the machine may
 * have slept; until then the owner counts as running.
 *
 * @param owner null when the file names none
 */
export async function isAbandoned(path: string, owner: Owner | null): Promise<boolean> {
  const ended = owner && (await hasEnded(owner))
  if (ended !== null) return ended
  const found = await statIfThere(path)
  if (found === undefined || ageOf(found) <= STALE_MS) {
    watched.delete(path)
    return false
  }
  const [now, last] = [performance.now(), watched.get(path)]
  const isWatched = last?.mtimeMs === found.mtimeMs && now - last.at <= GAP_MS
  const since = isWatched ? last.since : now
  watched.set(path, { mtimeMs: found.mtimeMs, since, at: now })
  return now - since >= WATCHED_MS
}

/** Files that looked untouched, by path: since when, and when this process looked last, by `performance.now()`. */
const watched = new Map<string, { readonly mtimeMs: number; readonly since: number; readonly at: number }>()

/**
 * Reads the start of a process, as a text that differs from that of a later process with the same pid.
 *
 * @returns null when no process has that pid; on a system without /proc, the same text for every running process
 */
export async function processStart(pid: number): Promise<string | null> {
  try {
    kill(pid, 0)
  } catch (error) {
    // EPERM: it runs, under another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return null
  }
  // Without /proc there is no such file; also if the process has just ended.
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The program's name, in brackets, can hold spaces. After it come the state (Z: ended, not collected) and 18 others.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields[0] === 'Z' ? null : (fields[19] ?? UNKNOWN_START)
}

/** Tasks under the lock take less than this. A task that takes longer hangs, and its lock is taken over. */
const MAX_SILENCE_MS = 5 * 60_000

/**
 * Creates a lock over all processes that use a file. When no lock file can be created, the file cannot be written
 * either, so the task runs without a lock.
 *
 * @param options.path the file to protect; the lock file is `<path>.lock`
 */
export function processLock({ path }: { path: string }): Lock {
  const withinProcess = inProcessLock()
  return {
    async run(waitMs, task) {
      const startedAt = performance.now()
      const turn = await withinProcess.run(waitMs, async () => {
        const remainingMs = Math.max(0, Math.ceil(waitMs - (performance.now() - startedAt)))
        const signal = AbortSignal.timeout(remainingMs)
        // Without a lock that can be written, the file cannot be written either.
        const lock = await acquire(path, signal).catch(() => 'impossible' as const)
        if (lock === null) return { held: false } as const
        if (lock === 'impossible') return { held: true, value: await task() } as const
        try {
          return { held: true, value: await task() } as const
        } finally {
          await lock.release()
        }
      })
      return turn.held ? turn.value : turn
    },
  }
}

async function acquire(path: string, signal: AbortSignal) {
  await mkdir(dirname(path), { recursive: true })
  return acquireFileLock(`${path}.lock`, { signal, maxSilenceMs: MAX_SILENCE_MS })
}
