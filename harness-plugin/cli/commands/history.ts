import { unwrap } from '../../client/client-error.ts'
import { toPastJobData } from '../../client/published.ts'
import type { HistoryEntry } from '../../protocol/index.ts'
import { chooseProfile } from '../choose-profile.ts'
import type { DataOf } from '../documents.ts'
import { Failure } from '../failure.ts'
import type { Session } from '../session.ts'

/**
 * Returns the jobs that ran on a profile, newest first; with the beginning of a job's id, that job with its log.
 *
 * @throws Failure when no job, or several, have such an id
 */
export async function history(
  session: Session,
  job: string | undefined,
  options: { readonly profile?: string | undefined; readonly limit: number },
): Promise<DataOf<'history'>> {
  const profile = await chooseProfile(session, options.profile)
  const { calls, logFile } = await session.openHost()
  const entries = unwrap(await calls.history({ profile }))
  const toData = async (entry: HistoryEntry, output: readonly string[]) =>
    toPastJobData(entry, session.locale, {
      nextSteps: session.words.outcomes,
      log: await logFile(profile, entry.id),
      output,
    })
  if (job === undefined) {
    const jobs = await Promise.all(entries.slice(0, options.limit).map((entry) => toData(entry, [])))
    return { profile, total: entries.length, jobs }
  }
  const [entry, ...others] = entries.filter(({ id }) => id.startsWith(job))
  if (entry === undefined || others.length > 0)
    throw new Failure(entry ? 'ambiguous' : 'unknown-job', ({ failures }) => failures.noJob(job, others.length + 1), {
      next: session.command('history', '--profile', profile),
    })
  const output = unwrap(await calls.jobLog({ profile, job: entry.id }))
  return { profile, total: 1, jobs: [await toData(entry, output)] }
}
