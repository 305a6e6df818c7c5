import type { StoreCalls } from '../protocol/index.ts'
import { answer, refuse } from './guard/make-answer.ts'
import type { HostParts } from './host-parts.ts'
import { readProfile, realProfileDirectory } from './profile/home.ts'
import { logFile, readHistory, readLog } from './transaction/history.ts'

/** Creates the calls for the jobs that ran on a profile, of all shells. */
export function historyCalls({ settings: { home }, queue }: Pick<HostParts, 'settings' | 'queue'>) {
  const calls: Pick<StoreCalls, 'history' | 'jobLog'> = {
    async history({ profile }) {
      if ((await readProfile(home, profile)) === null)
        return refuse('unknown-profile', `The profile "${profile}" does not exist.`)
      // Recovery may add an interrupted job.
      await queue.recovered()
      return answer(await readHistory(await realProfileDirectory(home, profile)))
    },
    async jobLog({ profile, job }) {
      return answer(await readLog(await realProfileDirectory(home, profile), job))
    },
  }
  return {
    calls,
    /** Returns the path of the log of a job; null when none is kept. */
    logFile: async (profile: string, job: string) => logFile(await realProfileDirectory(home, profile), job),
  }
}
