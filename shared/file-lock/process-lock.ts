import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { inProcessLock, type Lock } from '../async/index.ts'
import { acquireFileLock } from './file-lock.ts'

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
