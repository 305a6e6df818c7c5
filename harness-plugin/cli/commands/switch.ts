import { isDone } from '../../client/plain-data.ts'
import type { DataOf } from '../documents.ts'
import { jobFailure } from '../failure.ts'
import { finishJob } from '../finish-job.ts'
import { chooseProfile } from '../profiles.ts'
import type { Session } from '../session.ts'

/** Enables or disables an installed plugin. Does not ask: the opposite command reverts it. */
export async function switchPlugin(
  session: Session,
  text: string,
  options: { readonly profile?: string | undefined; readonly enabled: boolean },
): Promise<DataOf<'enable'>> {
  const profile = await chooseProfile(session, options.profile)
  const { enabled } = options
  const job = await finishJob(session, (client) => client.switchPlugin(text, { profile, enabled }, session.signal))
  const data = { profile, digest: '', reviews: [], jobs: [job], skipped: [] }
  if (!isDone(job.outcome)) throw jobFailure(job, { data })
  return data
}
