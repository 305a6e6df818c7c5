import { isDone } from '../../client/published.ts'
import { plainText } from '../../protocol/text.ts'
import { chooseProfile } from '../choose-profile.ts'
import type { DataOf } from '../documents.ts'
import { jobFailure } from '../failure.ts'
import { finishJob } from '../finish-job.ts'
import type { Session } from '../session.ts'

/** Enables or disables an installed plugin. Does not ask: the opposite command reverts it. */
export async function switchPlugin(
  session: Session,
  text: string,
  options: {
    readonly profile?: string | undefined
    readonly dryRun?: boolean | undefined
    readonly enabled: boolean
  },
): Promise<DataOf<'enable'>> {
  const profile = await chooseProfile(session, options.profile)
  const { enabled } = options
  const nothing = { profile, digest: '', reviews: [], jobs: [], skipped: [] }
  if (options.dryRun) {
    const plugin = await (await session.openClient()).findInstalled(text, profile)
    const message = session.words.wouldSwitch(enabled, plugin.enabled === enabled)
    return { ...nothing, skipped: [{ id: plainText(plugin.name), reason: 'dry-run', message }] }
  }
  const job = await finishJob(session, (client) => client.switchPlugin(text, { profile, enabled }, session.signal))
  const data = { ...nothing, jobs: [job] }
  if (!isDone(job.outcome)) throw jobFailure(job, { data })
  return data
}
