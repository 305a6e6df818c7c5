import { platform as hostPlatform } from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'

/** Errors with which Windows refuses to rename, replace or create a file that another program has open. */
const OPEN_ELSEWHERE = ['EPERM', 'EACCES', 'EBUSY']
const ATTEMPTS = 20
const PAUSE_MS = 50

/** Returns true for an error with which Windows refuses what another program has open. */
export const isOpenElsewhere = (error: unknown, platform: NodeJS.Platform = hostPlatform): boolean =>
  platform === 'win32' && OPEN_ELSEWHERE.includes((error as NodeJS.ErrnoException).code ?? '')

/**
 * Repeats work on a file for a second while Windows refuses it, because another program, such as a virus scanner or a
 * reader of the same file, has it open. Elsewhere an open file can be renamed, replaced and removed.
 *
 * @throws the last error
 */
export async function retryWhileOpen<T>(work: () => Promise<T>, platform = hostPlatform): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === ATTEMPTS || !isOpenElsewhere(error, platform)) throw error
      await pause(PAUSE_MS)
    }
  }
}
