import type { JobStage, Outcome } from '../../bridge/index.ts'
import { allowBuilds } from '../builds/allow.ts'
import { isTried, type RunningJob } from '../job/context.ts'
import { noteBlocked } from '../job/harness-cli.ts'
import { isDone, notStarted, profileOutcome, readOutcome } from '../job/outcome.ts'
import { packageOf } from '../profile/package-of.ts'
import { changedFiles, type ProfileState, readProfileState } from '../profile/state.ts'
import { forgetJob } from '../queue/orphaned-jobs.ts'
import { writeJournal } from '../snapshot/journal.ts'
import { begin, commit, putAside, undo } from '../snapshot/snapshot.ts'
import { type Tried, tryOrder } from '../trial/trial.ts'
import { watchActivation } from './activation.ts'
import { applyToProfile } from './apply.ts'

/**
 * Carries an order out as a transaction: in the end the profile is what was asked for, or as it was.
 *
 * @throws when the profile could not be put aside; then nothing was run in it
 */
export async function runJob(running: RunningJob): Promise<Outcome> {
  const { settings, directory, job, order, onStage } = running
  const before = await readProfileState(directory)
  if (before === null) return notStarted('profile-missing')
  const { id, action, listing, command, queuedAt } = job
  const noted = { id, action, listing, command, queuedAt, startedAt: job.startedAt ?? queuedAt }
  const activation = watchActivation(running)
  let journal = await begin(directory, { spec: order.plan.spec, job: noted })
  onStage(journal.stage)
  const enter = async (stage: JobStage) => {
    journal = { ...journal, stage }
    await writeJournal(directory, journal)
    onStage(stage)
  }
  let tried: (Tried & { goesOn: true }) | null = null
  try {
    // From here on the journal tells of it.
    await forgetJob(directory, id)
    if (settings.trial && isTried(settings, job)) {
      const result = await tryOrder(running, { settings: settings.trial, before, enter })
      if (!result.goesOn) return await endUntouched(directory, result.outcome)
      tried = result
    }
    if (await isChanged(directory, before)) return await endUntouched(directory, notStarted('profile-changed'))
    journal = await putAside(directory, journal)
    if (order.approval) await allowBuilds(directory, order.approval)
    await enter('installing')
  } catch (error) {
    await undo(directory)
    throw error
  }

  const applied = await applyToProfile(running, { before, tried })
  // On a full disk this cannot be noted; what must be put back is noted already.
  await enter('checking').catch(() => onStage('checking'))
  const given = { action, spec: order.plan.spec, before }
  const after = await readProfileState(directory)
  const read = readOutcome({ ...given, after, ...applied })
  const outcome: Outcome = { ...read, tried: tried?.trial ?? null }
  const name = packageOf(order.plan.spec, before, after)
  const { differences } = applied
  if (isDone(read.kind) && differences.length === 0) {
    await commit(directory)
    return { ...outcome, activation: await activation.after(outcome, name) }
  }
  await noteBlocked(running, read, settings.home, directory)
  const undone = await undo(directory)
  const now = await readProfileState(directory)
  const failed: Outcome =
    differences.length > 0 ? { ...notStarted('trial-differs', differences), tried: outcome.tried } : outcome
  const profile = now && profileOutcome({ ...given, after: now })
  return { ...failed, ...undone, profile, activation: await activation.afterUndo(profile, name) }
}

async function endUntouched(directory: string, outcome: Outcome): Promise<Outcome> {
  await commit(directory)
  return outcome
}

/** Whether somebody else changed the profile since. */
async function isChanged(directory: string, before: ProfileState): Promise<boolean> {
  const now = await readProfileState(directory)
  return now === null || changedFiles(before, now).length > 0
}

/** A missing profile is told as that; else the system's word for why the profile could not be put aside. */
export function notPrepared(error: unknown): Outcome {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT') return notStarted('disk-full')
  return code === 'ENOENT' ? notStarted('profile-missing') : notStarted('not-prepared', [code ?? message])
}
