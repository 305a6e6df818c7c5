import type { JobStage, Outcome, TrialReport } from '../../protocol/index.ts'
import { isSuccess } from '../../protocol/next-steps.ts'
import { allowBuilds } from '../builds/allow.ts'
import type { JobContext, TrialSettings } from '../job/context.ts'
import { reportBlockedBuilds, runHarness } from '../job/harness-cli.ts'
import { emptyOutcome, profileOutcome, readOutcome } from '../job/outcome.ts'
import { commandArguments, renderRemoveCommand } from '../job/request.ts'
import { lockedPackages } from '../profile/lockfile.ts'
import { addBundle } from '../profile/manifest.ts'
import { findPackageName, type ProfileState, readProfileState } from '../profile/state.ts'
import { copyProfile, removeTrial, trialHome } from './copy.ts'
import { judgeStart } from './judge.ts'

export interface PassedTrial {
  readonly passed: true
  readonly trial: TrialReport
  /** What the copy's lockfile has; null when there is none. */
  readonly packages: ReadonlyMap<string, string> | null
}
/** The job goes on, or ends with an outcome; the profile was not changed. */
export type TrialResult = PassedTrial | { readonly passed: false; readonly outcome: Outcome }

/** Carries a request out in a copy of the profile, and starts the harness from that. */
export async function runTrial(
  context: JobContext,
  given: { readonly settings: TrialSettings; readonly before: ProfileState; enter(stage: JobStage): Promise<void> },
): Promise<TrialResult> {
  const { request, settings, output, job } = context
  const { settings: trialSettings, before, enter } = given
  const { action, plan } = request
  const home = trialHome(settings.home, job.id)
  const unchanged = {
    rollback: 'complete',
    profile: profileOutcome({ spec: plan.spec, before, after: before }),
  } as const
  const end = (outcome: Outcome): TrialResult => ({ passed: false, outcome: { ...outcome, ...unchanged } })
  try {
    const { directory, leftOut } = await copyProfile(settings.home, plan.profile, home)
    for (const name of leftOut) output.write('err', `Not copied for the trial, as it is too big: ${name}\n`)
    if (request.approval) await allowBuilds(directory, request.approval, context.directory)

    await enter('trying')
    const ran = await applyToCopy(context, home, directory)
    const after = await readProfileState(directory, context.directory)
    const outcome = readOutcome({ action, spec: plan.spec, before, after, ...ran })
    if (outcome.kind === 'up-to-date') return { passed: false, outcome }
    if (!isSuccess(outcome.kind)) {
      await reportBlockedBuilds(context, outcome, home, directory)
      return end(outcome)
    }
    const packages = await lockedPackages(directory)

    await enter('starting')
    const name = findPackageName(plan.spec, before, after)
    const added = (after?.manifest.bundles ?? []).filter((bundle) => !before.manifest.bundles.includes(bundle))
    const verdict = await judgeStart({
      context,
      settings: trialSettings,
      home,
      directory,
      plugin: action === 'remove' ? null : name,
      added,
      isWeb: before.manifest.bundles.includes(trialSettings.webLayer),
    })
    if (verdict.passed) return { passed: true, trial: verdict.trial, packages }
    const removeCommand = verdict.blamesPlugin ? renderRemoveCommand(request, name) : null
    return end({ ...emptyOutcome(verdict.kind, verdict.subjects), removeCommand })
  } finally {
    await removeTrial(settings.home, job.id)
  }
}

/** Changes the copy as the request is to change the profile. */
async function applyToCopy(context: JobContext, home: string, directory: string): ReturnType<typeof runHarness> {
  const { request } = context
  if (request.action !== 'enable') return runHarness(context, home, commandArguments(request))
  if (request.package !== null) await addBundle(directory, request.package)
  return runHarness(context, home, ['plugin', '--profile', request.plan.profile, 'install', '--prefer-offline'])
}
