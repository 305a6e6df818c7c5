import { unwrap } from '../../client/client-error.ts'
import { isDone } from '../../client/published.ts'
import { chooseProfile } from '../choose-profile.ts'
import type { DataOf } from '../documents.ts'
import { Failure, jobFailure } from '../failure.ts'
import { finishJob } from '../finish-job.ts'
import type { Session } from '../session.ts'
import type { Page } from '../text/terminal-page.ts'
import { undoLine } from '../text/undo-line.ts'

/** Undoes the last change of a profile. At a terminal, shows it first and asks. */
export async function undo(
  session: Session,
  options: { readonly profile?: string | undefined; readonly dryRun?: boolean | undefined },
): Promise<DataOf<'undo'>> {
  const profile = await chooseProfile(session, options.profile)
  const host = await session.openHost()
  const last = await host.lastChange(profile)
  if (last === null) throw new Failure('nothing-to-undo', ({ failures }) => failures.nothingToUndo(profile))
  const { job, endedAt } = last
  const change = {
    action: job.action,
    ids: job.listing === null ? [] : [job.listing, ...job.more],
    endedAt: new Date(endedAt).toISOString(),
  }
  if (options.dryRun) return { profile, change, job: null }
  if (session.canAsk) {
    const { ask } = await import('../text/ask-person.ts')
    const toLines = (page: Page) => [undoLine({ profile, change, job: null }, page)]
    if (!(await ask(session, session.words.question.undo, toLines)))
      throw new Failure('cancelled', ({ declined }) => declined)
  }
  const undone = await finishJob(session, async (client) => {
    const { id } = unwrap(await host.undo(profile, job.id))
    return client.waitFor(id, session.signal)
  })
  const data = {
    profile,
    change,
    job: undone,
  }
  // A change whose snapshot can no longer be read was not undone.
  if (undone.outcome.kind === 'nothing-to-do')
    throw new Failure('nothing-to-undo', ({ failures }) => failures.nothingToUndo(profile), { data })
  if (!isDone(undone.outcome)) throw jobFailure(undone, { data })
  return data
}
