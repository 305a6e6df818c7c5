import type { Outcome, TrialReport } from '../../protocol/index.ts'
import { isSuccess } from '../../protocol/next-steps.ts'
import { reportBlockedBuilds, runChange, runHarness } from '../harness/command.ts'
import type { ChangeContext, JobContext } from '../harness/job.ts'
import { renderRemoveCommand } from '../harness/job.ts'
import { emptyOutcome, joinOutcomes, profileOutcome, readOutcome } from '../harness/outcome.ts'
import { endOrphanedProcesses } from '../process/orphaned-processes.ts'
import { lockedPackages } from '../profile/lockfile.ts'
import { addBundle, keepingDisabled } from '../profile/manifest.ts'
import { allowBuilds } from '../profile/pnpm.ts'
import { findPackageNames, type ProfileState, readProfileState } from '../profile/state.ts'
import { copyProfile, removeTrial, trialHome } from './copy.ts'
import { judgeStart } from './judge.ts'

export interface PassedTrial {
  readonly passed: true
  readonly trial: TrialReport
  /** Packages in the copy's lockfile after each change; null without a lockfile. */
  readonly packages: readonly (ReadonlyMap<string, string> | null)[]
}
/** Result of a trial: the job continues, or ends with an outcome. The profile is unchanged. */
export type TrialResult = PassedTrial | { readonly passed: false; readonly outcome: Outcome }

/**
 * Makes the changes of a request in a copy of the profile, and starts the harness from it.
 *
 * @param transaction.before the profile as it is
 * @param transaction.signal stops the copying; its reason is thrown
 */
export async function runTrial(
  context: JobContext,
  { before, signal: copying }: { readonly before: ProfileState; readonly signal: AbortSignal },
): Promise<TrialResult> {
  const { request, settings, output, job, onStage } = context
  const { changes, profile } = request
  const home = trialHome(settings.home, job.id)
  const specs = changes.map(({ plan }) => plan.spec)
  const unchanged = { rollback: 'complete', profile: profileOutcome({ specs, before, after: before }) } as const
  const end = (outcome: Outcome): TrialResult => ({ passed: false, outcome: { ...outcome, ...unchanged } })
  try {
    const { directory, leftOut } = await copyProfile(settings.home, profile, home, { signal: copying })
    for (const name of leftOut) output.write('err', `Not copied for the trial, as it is too big: ${name}\n`)
    for (const { approval } of changes) if (approval) await allowBuilds(directory, approval, context.directory)

    onStage('trying')
    let after = before
    const outcomes: Outcome[] = []
    const packages: PassedTrial['packages'][number][] = []
    for (const change of changes) {
      const ran = await applyToCopy({ ...context, change }, home, directory)
      const now = await readProfileState(directory, context.directory)
      const { action, plan } = change
      const isAnySource = change.source !== undefined
      const outcome = readOutcome({
        action,
        spec: plan.spec,
        isAnySource,
        agreed: change.agreed,
        before: after,
        after: now,
        ...ran,
      })
      outcomes.push(outcome)
      if (!isSuccess(outcome.kind) || now === null) {
        await reportBlockedBuilds({ ...context, change }, outcome, home, directory)
        return end(joinOutcomes(changes, outcomes))
      }
      after = now
      packages.push(await lockedPackages(directory))
    }
    const joined = joinOutcomes(changes, outcomes)
    if (joined.kind === 'up-to-date' || joined.kind === 'nothing-to-do') return { passed: false, outcome: joined }

    onStage('starting')
    const started = changes.filter(({ action }) => action !== 'remove')
    const names = findPackageNames(
      started.map(({ plan }) => plan.spec),
      before,
      after,
    )
    // A disabled plugin is not started, but can be updated.
    const plugins = names.filter((name) => after.manifest.bundles.includes(name))
    const added = after.manifest.bundles.filter((bundle) => !before.manifest.bundles.includes(bundle))
    const isWeb = before.manifest.bundles.includes(settings.trial.webLayer)
    const verdict = await judgeStart({ context, home, directory, plugins, added, isWeb })
    if (verdict.passed) return { passed: true, trial: verdict.trial, packages }
    const [change, ...others] = changes
    const isBlamed = verdict.blamesPlugin && change !== undefined && others.length === 0
    const removeCommand = isBlamed ? renderRemoveCommand(change, plugins[0] ?? null) : null
    return end({ ...emptyOutcome(verdict.kind, verdict.subjects), parts: joined.parts, removeCommand })
  } finally {
    // End processes that a plugin or a script started outside its group.
    await endOrphanedProcesses(job.id, context.directory)
    await removeTrial(settings.home, job.id)
  }
}

/** Makes one change in the copy. */
async function applyToCopy(context: ChangeContext, home: string, directory: string): ReturnType<typeof runHarness> {
  const { change } = context
  if (change.action !== 'enable') return runChange(context, home, directory)
  if (change.package !== null) await addBundle(directory, change.package)
  return keepingDisabled(directory, null, () =>
    runHarness(context, home, ['plugin', '--profile', change.plan.profile, 'install', '--prefer-offline']),
  )
}
