import { parseDependency } from '@plugmark/shared/install'
import type { Outcome } from '../../protocol/index.ts'
import { JOB_STAGES, STAGES_WITHOUT_TRIAL } from '../../protocol/jobs.ts'
import { isSuccess } from '../../protocol/next-steps.ts'
import { reportBlockedBuilds } from '../harness/command.ts'
import { isTried, type JobContext, type PluginChange, recordedName } from '../harness/job.ts'
import { emptyOutcome, joinOutcomes, profileOutcome } from '../harness/outcome.ts'
import type { HoldChanges } from '../profile/holds.ts'
import { allowBuilds } from '../profile/manifest.ts'
import { findPackageName, type ProfileState, readProfileState } from '../profile/state.ts'
import { nameWaitingReleases } from '../releases/waiting-releases.ts'
import { Transaction } from '../transaction/transaction.ts'
import { type PassedTrial, runTrial } from '../trial/judge.ts'
import { applyChanges, type Changed, watchActivation } from './apply.ts'

/**
 * Makes the reviewed changes of a job: tries them in a copy of the profile, then makes them in the profile itself. In the
 * end the profile has all of them, or is as before.
 *
 * @throws when the job cannot begin; then nothing has run
 */
export async function changePlugins(context: JobContext): Promise<Outcome> {
  const { settings, directory, request, onStages, onStage } = context
  const { changes } = request
  const specs = changes.map(({ plan }) => plan.spec)
  const running = watchActivation(context)

  const tried = await Promise.all(changes.map((change) => needsTrial(context, change)))
  const isSomeTried = tried.includes(true)
  onStages(isSomeTried ? JOB_STAGES : STAGES_WITHOUT_TRIAL)
  const tx = await Transaction.begin(context, { specs, isTried: isSomeTried })
  const { before } = tx
  const namesIn = (after: ProfileState | null) => specs.map((spec) => findPackageName(spec, before, after))
  let made: Changed | null = null
  let trial: PassedTrial | null = null
  let outcome: Outcome
  try {
    // 1. Try the changes in a copy.
    if (isSomeTried) {
      const result = await runTrial(context, before)
      await context.runRecords.add(result.pluginRuns)
      if (!result.passed) return await tx.rollback(await nameWaitingReleases(context, result.outcome))
      trial = result
    }

    // 2. Make them in the profile.
    await tx.snapshot()
    for (const { approval } of changes) if (approval) await allowBuilds(directory, approval)
    onStage('installing')
    made = await applyChanges(context, before, trial?.packages ?? null)
    onStage('checking')

    // 3. Keep the profile if it has the requested plugins, with the same packages as the trial.
    const { outcomes, differences, after } = made
    const joined = await nameWaitingReleases(context, joinOutcomes(changes, outcomes))
    const result: Outcome = { ...joined, trial: trial?.trial ?? null }
    const isDone = outcomes.length === changes.length && isSuccess(result.kind) && differences.length === 0
    if (isDone && after !== null) {
      await tx.changeHolds(holdsOf(context, namesIn(after)))
      const kept = { ...result, profile: profileOutcome({ specs, before, after }) }
      outcome = await tx.commit(kept, after)
    } else {
      const change = changes[outcomes.length - 1]
      if (change) await reportBlockedBuilds({ ...context, change }, result, settings.home, directory)
      const { trial: report, parts } = result
      const differs = { ...emptyOutcome('trial-differs', differences), trial: report, parts }
      outcome = await tx.rollback(differences.length > 0 ? differs : result)
    }
  } catch (error) {
    outcome = await tx.rollback(error)
  }

  // 4. A running harness applies, or reverts, the changes by itself some seconds later.
  if (made === null) return outcome
  const names = namesIn(made.after)
  return isSuccess(outcome.kind)
    ? running.afterCommit(outcome, { ends: made.outcomes, names, seen: trial?.adds })
    : running.afterRollback(outcome, names)
}

/** Returns the holds that changes ask for. @param names packages of the changes, in their order */
function holdsOf({ request, settings }: JobContext, names: readonly (string | null)[]): HoldChanges {
  const held = request.changes.flatMap(({ hold }, index) => {
    const name = names[index] ?? null
    return hold && name !== null ? [[name, { ...hold, since: settings.now() }] as const] : []
  })
  return Object.fromEntries(held)
}

/** Returns false for what is harmless, and for enabling a published version or a commit that ran here before. */
async function needsTrial(
  { settings, directory, request, runRecords }: JobContext,
  change: PluginChange,
): Promise<boolean> {
  const { action, package: name } = change
  if (!isTried(settings, { action, profile: request.profile })) return false
  if (action !== 'enable' || name === null) return true
  const state = await readProfileState(directory)
  const version = state?.versions.get(name) ?? null
  const source = state?.manifest.dependencies[name] ?? ''
  const commit = state?.commits.get(name)
  const recorded = version === null ? null : recordedName(name, version, { source, commit })
  // A folder may have changed since it ran.
  return recorded === null || parseDependency(name, source) === null || !(await runRecords.hasRun(recorded))
}
