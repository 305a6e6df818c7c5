import { realpath } from 'node:fs/promises'
import type { StoreCalls } from '../protocol/index.ts'
import { answer, refuse } from './guard/make-answer.ts'
import type { HostParts } from './host-parts.ts'
import { profileDirectory, readProfile } from './profile/home.ts'
import { logFile, readHistory, readLog } from './transaction/job-history.ts'

/** Creates the calls for the jobs that ran on a profile, of all shells. */
export function historyCalls({ settings: { home }, queue }: Pick<HostParts, 'settings' | 'queue'>) {
  // A profile may be a link.
  const directoryOf = (profile: string) => {
    const named = profileDirectory(home, profile)
    return realpath(named).catch(() => named)
  }
  const calls: Pick<StoreCalls, 'history' | 'jobLog'> = {
    async history({ profile }) {
      if ((await readProfile(home, profile)) === null)
        return refuse('unknown-profile', `The profile "${profile}" does not exist.`)
      // Recovery may add an interrupted job.
      await queue.recovered()
      return answer(await readHistory(await directoryOf(profile)))
    },
    async jobLog({ profile, job }) {
      return answer(await readLog(await directoryOf(profile), job))
    },
  }
  return {
    calls,
    /** Returns the path of the log of a job; null when none is kept. */
    logFile: async (profile: string, job: string) => logFile(await directoryOf(profile), job),
  }
}
