import type { JobStage, Outcome } from '../../protocol/index.ts'
import { isSuccess } from '../../protocol/next-steps.ts'
import { isTried, type JobContext } from '../job/context.ts'
import { reportBlockedBuilds } from '../job/harness-cli.ts'
import { deleteJobFile } from '../job/job-file.ts'
import { emptyOutcome, joinOutcomes, profileOutcome } from '../job/outcome.ts'
import { allowBuilds } from '../profile/pnpm-settings.ts'
import {
  changedFiles,
  findPackageName,
  findPackageNames,
  type ProfileState,
  readProfileState,
} from '../profile/state.ts'
import { writeJournal } from '../snapshot/journal.ts'
import { commit, dropLastChange, endUnchanged } from '../snapshot/last-change.ts'
import { rollback } from '../snapshot/rollback.ts'
import { beginJournal, takeSnapshot } from '../snapshot/snapshot.ts'
import { type PassedTrial, runTrial } from '../trial/trial.ts'
import { watchActivation } from './activation.ts'
import { applyChanges, type Changed } from './apply.ts'

/**
 * Runs a reviewed job as a transaction: in the end the profile is what was asked for, with all of its changes, or as it was.
 *
 * @throws when the profile could not be copied; then nothing was run in it
 */
export async function runJob(context: JobContext): Promise<Outcome> {
  const { settings, directory, job, request, onStage } = context
  const { changes, profile } = request
  const specs = changes.map(({ plan }) => plan.spec)
  const before = await readProfileState(directory)
  if (before === null) return emptyOutcome('profile-missing')
  const activation = watchActivation(context)

  // Journal: from here on a later host can report the job and roll it back.
  let journal = await beginJournal(directory, { specs, job })
  const enter = async (stage: JobStage) => {
    journal = { ...journal, stage }
    await writeJournal(directory, journal)
    onStage(stage)
  }
  onStage(journal.stage)

  let trial: PassedTrial | null = null
  let applied: Changed
  try {
    await deleteJobFile(directory, job.id)

    // Trial, in a copy of the profile.
    if (changes.some(({ action }) => isTried(settings, { action, profile }))) {
      const result = await runTrial(context, { before, enter })
      if (!result.passed) {
        await endUnchanged(directory)
        return result.outcome
      }
      trial = result
    }
    if (await isChanged(directory, before)) {
      await endUnchanged(directory)
      return emptyOutcome('profile-changed')
    }

    // Snapshot.
    await dropLastChange(directory)
    journal = await takeSnapshot(directory, journal)
    for (const { approval } of changes) if (approval) await allowBuilds(directory, approval)
    await enter('installing')

    // Install.
    applied = await applyChanges(context, before, trial?.packages ?? null)
    // On a full disk this fails; the journal already has what a rollback needs.
    await enter('checking').catch(() => onStage('checking'))
  } catch (error) {
    await rollback(directory)
    throw error
  }

  const { outcomes, differences, after } = applied
  // Verify: the profile has what was asked for, and the very packages that were tried.
  const result: Outcome = { ...joinOutcomes(changes, outcomes), trial: trial?.trial ?? null }
  const isDone = outcomes.length === changes.length && isSuccess(result.kind) && differences.length === 0

  // Commit or roll back.
  if (isDone && after !== null) {
    // An undo of nothing is of no use.
    await (result.kind === 'up-to-date' ? endUnchanged(directory) : commit(directory, journal, after))
    const names = specs.map((spec) => findPackageName(spec, before, after))
    return {
      ...result,
      profile: profileOutcome({ specs, before, after }),
      activation: await activation.afterCommit(outcomes, names),
    }
  }
  const change = changes[outcomes.length - 1]
  if (change) await reportBlockedBuilds({ ...context, change }, result, settings.home, directory)
  const rolledBack = await rollback(directory)
  const now = await readProfileState(directory)
  const failed =
    differences.length > 0
      ? { ...emptyOutcome('trial-differs', differences), trial: result.trial, parts: result.parts }
      : result
  return {
    ...failed,
    ...rolledBack,
    profile: now && profileOutcome({ specs, before, after: now }),
    activation: await activation.afterRollback(now, findPackageNames(specs, before, after)),
  }
}

/** Whether another program changed the profile since. */
async function isChanged(directory: string, before: ProfileState): Promise<boolean> {
  const now = await readProfileState(directory)
  return now === null || changedFiles(before, now).length > 0
}
