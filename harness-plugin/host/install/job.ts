import type { JobStage, Outcome } from '../../protocol/index.ts'
import { isSuccess } from '../../protocol/next-steps.ts'
import { allowBuilds } from '../builds/allow.ts'
import { isTried, type JobContext } from '../job/context.ts'
import { reportBlockedBuilds } from '../job/harness-cli.ts'
import { deleteJobFile } from '../job/job-file.ts'
import { emptyOutcome, profileOutcome, readOutcome } from '../job/outcome.ts'
import { changedFiles, findPackageName, type ProfileState, readProfileState } from '../profile/state.ts'
import { commit, writeJournal } from '../snapshot/journal.ts'
import { rollback } from '../snapshot/rollback.ts'
import { beginJournal, takeSnapshot } from '../snapshot/snapshot.ts'
import { type PassedTrial, runTrial } from '../trial/trial.ts'
import { watchActivation } from './activation.ts'
import { applyToProfile } from './apply.ts'

/**
 * Runs a reviewed job as a transaction: in the end the profile is what was asked for, or as it was.
 *
 * @throws when the profile could not be copied; then nothing was run in it
 */
export async function runJob(context: JobContext): Promise<Outcome> {
  const { settings, directory, job, request, onStage } = context
  const { spec } = request.plan
  const before = await readProfileState(directory)
  if (before === null) return emptyOutcome('profile-missing')
  const activation = watchActivation(context)

  // Journal: from here on a later host can report the job and roll it back.
  const { id, action, listing, command, queuedAt, startedAt } = job
  const info = { id, action, listing, command, queuedAt, startedAt: startedAt ?? queuedAt }
  let journal = await beginJournal(directory, { spec, job: info })
  const enter = async (stage: JobStage) => {
    journal = { ...journal, stage }
    await writeJournal(directory, journal)
    onStage(stage)
  }
  onStage(journal.stage)

  let trial: PassedTrial | null = null
  try {
    await deleteJobFile(directory, id)

    // Trial, in a copy of the profile.
    if (settings.trial && isTried(settings, job)) {
      const result = await runTrial(context, { settings: settings.trial, before, enter })
      if (!result.passed) return await endUnchanged(directory, result.outcome)
      trial = result
    }
    if (await isChanged(directory, before)) return await endUnchanged(directory, emptyOutcome('profile-changed'))

    // Snapshot.
    journal = await takeSnapshot(directory, journal)
    if (request.approval) await allowBuilds(directory, request.approval)
    await enter('installing')
  } catch (error) {
    await rollback(directory)
    throw error
  }

  // Install.
  const applied = await applyToProfile(context, { before, trial })
  // On a full disk this fails; the journal already has what a rollback needs.
  await enter('checking').catch(() => onStage('checking'))

  // Verify: the profile has what was asked for, and the very packages that were tried.
  const after = await readProfileState(directory)
  const name = findPackageName(spec, before, after)
  const result = readOutcome({ action, spec, before, after, ...applied })
  const outcome: Outcome = { ...result, trial: trial?.trial ?? null }
  const { differences } = applied

  // Commit or roll back.
  if (isSuccess(result.kind) && differences.length === 0) {
    await commit(directory)
    return { ...outcome, activation: await activation.afterCommit(outcome, name) }
  }
  await reportBlockedBuilds(context, result, settings.home, directory)
  const rolledBack = await rollback(directory)
  const now = await readProfileState(directory)
  const profile = now && profileOutcome({ spec, before, after: now })
  const failed =
    differences.length > 0 ? { ...emptyOutcome('trial-differs', differences), trial: outcome.trial } : outcome
  return { ...failed, ...rolledBack, profile, activation: await activation.afterRollback(profile, name) }
}

async function endUnchanged(directory: string, outcome: Outcome): Promise<Outcome> {
  await commit(directory)
  return outcome
}

/** Whether another program changed the profile since. */
async function isChanged(directory: string, before: ProfileState): Promise<boolean> {
  const now = await readProfileState(directory)
  return now === null || changedFiles(before, now).length > 0
}

/** The outcome of a job that could not begin: a missing profile, a full disk, or the system's own error code. */
export function notPreparedOutcome(error: unknown): Outcome {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT') return emptyOutcome('disk-full')
  return code === 'ENOENT' ? emptyOutcome('profile-missing') : emptyOutcome('not-prepared', [code ?? message])
}
