import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { kill, pid } from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { inProcessLock } from '../lock/in-process.ts'
import type { CatalogueLock } from '../types.ts'

/** No refresh takes this long; a lock older than that was left behind, whatever became of its owner's pid. */
const STALE_MS = 5 * 60_000
/** To remove a lock that was left behind takes some file operations. */
const REMOVAL_STALE_MS = 10_000
const POLL_MS = 50

interface Owner {
  readonly id: string
  readonly pid: number
  readonly host: string
}

/**
 * A lock over processes: a file beside `path` that names its owner. A lock whose owner is no longer running, or that
 * is older than any refresh, is taken over.
 *
 * @param options.path the file of the storage; the lock is `<path>.lock`
 */
export function fileLock({ path }: { path: string }): CatalogueLock {
  const lockPath = `${path}.lock`
  const inHere = inProcessLock()

  async function acquire(waitMs: number): Promise<Owner | null> {
    await mkdir(dirname(lockPath), { recursive: true })
    const owner: Owner = { id: randomUUID(), pid, host: hostname() }
    const until = performance.now() + waitMs
    while (!(await create(lockPath, JSON.stringify(owner)))) {
      if (performance.now() >= until) return null
      if (await isLeftBehind(lockPath)) await removeLeftBehind(lockPath)
      else await pause(POLL_MS)
    }
    return owner
  }

  return {
    async run(waitMs, task) {
      const startedAt = performance.now()
      const turn = await inHere.run(waitMs, async () => {
        const owner = await acquire(waitMs - (performance.now() - startedAt))
        if (owner === null) return { held: false } as const
        try {
          return { held: true, value: await task(true) } as const
        } finally {
          // Another process may have taken it over, if this one was suspended for long.
          if ((await readOwner(lockPath))?.id === owner.id) await rm(lockPath, { force: true })
        }
      })
      return turn.held ? turn.value : turn
    },
  }
}

/** Creates the file with this text; false when there is one. */
async function create(path: string, text: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx')
    await file.writeFile(text).finally(() => file.close())
    return true
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw cause
  }
}

async function isLeftBehind(lockPath: string): Promise<boolean> {
  const age = await ageMs(lockPath)
  if (age === null) return false
  if (age > STALE_MS) return true
  const owner = await readOwner(lockPath)
  return owner !== null && owner.host === hostname() && !isRunning(owner.pid)
}

/** Two that find the same lock left behind must not remove each other's new one: removing has a lock of its own. */
async function removeLeftBehind(lockPath: string): Promise<void> {
  const removal = `${lockPath}.removal`
  if (!(await create(removal, ''))) {
    if (((await ageMs(removal)) ?? 0) > REMOVAL_STALE_MS) await rm(removal, { force: true })
    return pause(POLL_MS)
  }
  try {
    if (await isLeftBehind(lockPath)) await rm(lockPath, { force: true })
  } finally {
    await rm(removal, { force: true })
  }
}

/** Null while its owner is still writing it, and when there is none. */
async function readOwner(lockPath: string): Promise<Owner | null> {
  try {
    return JSON.parse(await readFile(lockPath, 'utf8'))
  } catch {
    return null
  }
}

async function ageMs(path: string): Promise<number | null> {
  try {
    return Date.now() - (await stat(path)).mtimeMs
  } catch {
    return null
  }
}

function isRunning(pid: number): boolean {
  try {
    return kill(pid, 0)
  } catch (cause) {
    // EPERM: it runs, as somebody else.
    return (cause as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
