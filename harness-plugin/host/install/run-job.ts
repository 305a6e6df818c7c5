import type { Outcome } from '../../protocol/index.ts'
import { isSuccess } from '../../protocol/next-steps.ts'
import { reportBlockedBuilds } from '../job/harness-cli.ts'
import { isTried, type JobContext } from '../job/job-context.ts'
import { emptyOutcome, joinOutcomes, profileOutcome } from '../job/read-outcome.ts'
import { allowBuilds } from '../profile/pnpm-settings.ts'
import { findPackageName, findPackageNames, type ProfileState, readProfileState } from '../profile/state.ts'
import { type Conclusion, runTransaction } from '../transaction/transaction.ts'
import { type PassedTrial, runTrial } from '../trial/trial.ts'
import { watchActivation } from './activation.ts'
import { applyChanges, type Changed } from './apply.ts'
import { nameWaitingReleases } from './name-waiting.ts'

/**
 * Runs a reviewed job. In the end the profile has all of its changes or is unchanged.
 *
 * @throws when the journal cannot be created; then nothing has run
 */
export async function runJob(context: JobContext): Promise<Outcome> {
  const { settings, directory, request, onStage } = context
  const { changes, profile } = request
  const specs = changes.map(({ plan }) => plan.spec)
  const activation = watchActivation(context)
  let before: ProfileState | null = null
  let applied: Changed | null = null

  const ended = await runTransaction(context, { specs }, async (transaction): Promise<Conclusion> => {
    before = transaction.before
    // First in a copy of the profile.
    let trial: PassedTrial | null = null
    if (changes.some(({ action }) => isTried(settings, { action, profile }))) {
      const result = await runTrial(context, transaction)
      if (!result.passed) return { outcome: result.outcome }
      trial = result
    }

    // Then in the profile itself.
    await transaction.snapshot()
    for (const { approval } of changes) if (approval) await allowBuilds(directory, approval)
    onStage('installing')
    applied = await applyChanges(context, before, trial?.packages ?? null)
    onStage('checking')

    // The profile has the requested plugins, with the same packages as the trial.
    const { outcomes, differences, after } = applied
    const result: Outcome = { ...joinOutcomes(changes, outcomes), trial: trial?.trial ?? null }
    const isDone = outcomes.length === changes.length && isSuccess(result.kind) && differences.length === 0
    if (isDone && after !== null) {
      const kept = { ...result, profile: profileOutcome({ specs, before, after }) }
      return { outcome: kept, keep: after, isUndoable: result.kind !== 'up-to-date' }
    }
    const change = changes[outcomes.length - 1]
    if (change) await reportBlockedBuilds({ ...context, change }, result, settings.home, directory)
    if (differences.length === 0) return { outcome: result }
    const { trial: report, parts } = result
    return { outcome: { ...emptyOutcome('trial-differs', differences), trial: report, parts } }
  })

  const outcome = await nameWaitingReleases(context, ended)

  // A running harness applies changes by itself some seconds later.
  const made = applied as Changed | null
  if (made === null || before === null) return outcome
  const { outcomes, after } = made
  const names = (found: ProfileState) => specs.map((spec) => findPackageName(spec, found, after))
  if (isSuccess(outcome.kind)) return { ...outcome, activation: await activation.afterCommit(outcomes, names(before)) }
  const now = await readProfileState(directory)
  return { ...outcome, activation: await activation.afterRollback(now, findPackageNames(specs, before, after)) }
}
