import type { DataOf } from '../documents.ts'
import { Failure, unwrap } from '../failure.ts'
import { endOf, isDone, jobFailure, toJobData } from '../jobs.ts'
import { chooseProfile } from '../profiles.ts'
import type { Session } from '../session.ts'

/** Takes the last change of a profile back. */
export async function undo(
  session: Session,
  options: { readonly profile?: string | undefined },
): Promise<DataOf<'undo'>> {
  const profile = await chooseProfile(session, options.profile)
  const host = await session.openHost()
  const last = await host.lastChange(profile)
  if (last === null) throw new Failure('nothing-to-undo', ({ failures }) => failures.nothingToUndo(profile))
  const { job, endedAt } = last
  const ended = await endOf(session, unwrap(await host.undo(profile, job.id)))
  const data = {
    profile,
    change: {
      action: job.action,
      ids: job.listing === null ? [] : [job.listing, ...job.more],
      endedAt: new Date(endedAt).toISOString(),
    },
    job: toJobData(session, ended),
  }
  // What could not be read any more was not taken back.
  if (ended.outcome.kind === 'nothing-to-do')
    throw new Failure('nothing-to-undo', ({ failures }) => failures.nothingToUndo(profile), { data })
  if (!isDone(ended.outcome)) throw jobFailure(data.job, { data })
  return data
}
