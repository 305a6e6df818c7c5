import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { acquireFileLock } from '../../file-lock/index.ts'
import { inProcessLock } from '../lock/in-process.ts'
import type { CatalogueLock } from '../types.ts'

/** No refresh takes this long: one that does hangs. */
const MAX_SILENCE_MS = 5 * 60_000

/**
 * A lock of the catalogue over processes.
 *
 * @param options.path the file of the storage; the lock is `<path>.lock`
 */
export function fileLock({ path }: { path: string }): CatalogueLock {
  const inHere = inProcessLock()
  return {
    async run(waitMs, task) {
      const startedAt = performance.now()
      const turn = await inHere.run(waitMs, async () => {
        await mkdir(dirname(path), { recursive: true })
        const remainingMs = Math.max(0, Math.ceil(waitMs - (performance.now() - startedAt)))
        const signal = AbortSignal.timeout(remainingMs)
        const lock = await acquireFileLock(`${path}.lock`, { signal, maxSilenceMs: MAX_SILENCE_MS })
        if (lock === null) return { held: false } as const
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
