import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { acquireFileLock } from '../../file-lock/index.ts'
import { inProcessLock } from '../lock/in-process.ts'
import type { CatalogueLock } from '../types.ts'

/** No refresh takes this long: one that does hangs. */
const MAX_SILENCE_MS = 5 * 60_000

/**
 * A lock of the catalogue over processes. Where no lock file can be made, nothing can be stored either: the task runs, and
 * is told that it may not be alone.
 *
 * @param options.path the file of the storage; the lock is `<path>.lock`
 */
export function fileLock({ path }: { path: string }): CatalogueLock {
  const inHere = inProcessLock()
  return {
    async run(waitMs, task) {
      const startedAt = performance.now()
      const turn = await inHere.run(waitMs, async () => {
        const remainingMs = Math.max(0, Math.ceil(waitMs - (performance.now() - startedAt)))
        const signal = AbortSignal.timeout(remainingMs)
        const lock = await acquire(path, signal).catch(() => 'impossible' as const)
        if (lock === null) return { held: false } as const
        if (lock === 'impossible') return { held: true, value: await task(false) } as const
        try {
          return { held: true, value: await task(true) } as const
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
