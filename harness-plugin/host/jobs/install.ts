import { parseDependency, specOfId } from '@plugmark/shared/install'
import type { YesNoUnknown } from '../../protocol/fit.ts'
import type { Adds, Outcome, OutcomeKind, TrialReport } from '../../protocol/index.ts'
import { JOB_STAGES, STAGES_WITHOUT_TRIAL } from '../../protocol/jobs.ts'
import { isSuccess } from '../../protocol/next-steps.ts'
import { renderRemoveCommand, reportBlockedBuilds, runChange } from '../harness/command-line.ts'
import {
  type ChangeContext,
  isTried,
  type JobContext,
  type PluginChange,
  type PluginRun,
  recordedName,
} from '../harness/job.ts'
import { changeOutcome, emptyOutcome, joinOutcomes, profileOutcome } from '../harness/outcome.ts'
import { movePaths } from '../profile/files.ts'
import type { HoldChanges } from '../profile/holds.ts'
import { readLockfilePackages } from '../profile/lockfile.ts'
import { addLayer, allowBuilds, keepingDisabled } from '../profile/manifest.ts'
import { findPackageName, type ProfileState, readProfileState } from '../profile/state.ts'
import { nameWaitingReleases } from '../releases/waiting-releases.ts'
import { packageChanges } from '../transaction/history.ts'
import { Transaction } from '../transaction/transaction.ts'
import { isNamed } from '../trial/boot.ts'
import { type Judgement, judgeStart } from '../trial/judge.ts'
import { TrialHome } from '../trial/trial-home.ts'
import { ActivationWatch, applyChanges, type Changed } from './apply.ts'

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
  const running = new ActivationWatch(context)

  const tried = await Promise.all(changes.map((change) => needsTrial(context, change)))
  const isSomeTried = tried.includes(true)
  onStages(isSomeTried ? JOB_STAGES : STAGES_WITHOUT_TRIAL)
  const tx = await Transaction.begin(context, { specs, isTried: isSomeTried })
  const { before } = tx
  const namesIn = (after: ProfileState | null) => specs.map((spec) => findPackageName(spec, before, after))
  let isBegun = false
  let made: Changed | null = null
  let trial: PassedTrial | null = null
  let outcome: Outcome
  try {
    // 1. Try the changes in a copy.
    if (isSomeTried) {
      const result = await runTrial(context, before)
      if (!result.passed) return await tx.rollback(await nameWaitingReleases(context, result.outcome))
      trial = result
    }

    // 2. Make them in the profile.
    await tx.snapshot()
    for (const { approval } of changes) if (approval) await allowBuilds(directory, approval)
    onStage('installing')
    isBegun = true
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
      const differs = { ...emptyOutcome('source-changed', differences), trial: report, parts }
      outcome = await tx.rollback(differences.length > 0 ? differs : result)
    }
  } catch (error) {
    outcome = await tx.rollback(error)
  }

  // 4. A running harness applies, or reverts, the changes by itself some seconds later.
  if (!isBegun) return outcome
  const names = namesIn(made?.after ?? before)
  return made !== null && isSuccess(outcome.kind)
    ? running.afterCommit(outcome, made.outcomes, names, trial?.adds)
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

// The trial, in a copy of the profile

interface PassedTrial {
  readonly passed: true
  readonly trial: TrialReport
  /** Names that the harness of the trial had only with the plugins; missing if that was not seen. */
  readonly adds?: Adds
  /** Packages in the copy's lockfile after each change; null without a lockfile. */
  readonly packages: readonly (ReadonlyMap<string, string> | null)[]
}
/** Result of a trial: the job continues, or ends with an outcome. The profile is unchanged. */
type TrialResult = PassedTrial | { readonly passed: false; readonly outcome: Outcome }

/**
 * Makes the changes of a request in a copy of the profile, starts the harness from it, and keeps how the plugins ran.
 *
 * @param before the profile as it is
 * @param makeAll makes all changes at once, in place of one command for each
 */
export async function runTrial(
  context: JobContext,
  before: ProfileState,
  makeAll?: (copy: TrialHome) => Promise<{ readonly outcome: Outcome; readonly after: ProfileState | null }>,
): Promise<TrialResult> {
  const { request, onStage } = context
  const { changes, profile } = request
  const specs = changes.map(({ plan }) => plan.spec)
  const unchanged = { rollback: 'complete', profile: profileOutcome({ specs, before, after: before }) } as const
  const end = (outcome: Outcome): TrialResult => ({ passed: false, outcome: { ...outcome, ...unchanged } })
  const copy = await TrialHome.copy(context, { profile })
  try {
    const { directory } = copy
    for (const { approval } of changes) if (approval) await allowBuilds(directory, approval, context.directory)

    onStage('trying')
    let after = before
    const outcomes: Outcome[] = []
    const packages: PassedTrial['packages'][number][] = []
    const all = await makeAll?.(copy)
    if (all) {
      if (!isSuccess(all.outcome.kind) || all.after === null) return end(all.outcome)
      after = all.after
      packages.push(await readLockfilePackages(directory))
    }
    for (const change of all ? [] : changes) {
      const ran = await applyToCopy({ ...context, change }, copy)
      const now = await readProfileState(directory, context.directory)
      const lockfile = await readLockfilePackages(directory)
      const outcome = changeOutcome(change, { before: after, after: now, lockfile, ...ran })
      outcomes.push(outcome)
      if (!isSuccess(outcome.kind) || now === null) {
        await reportBlockedBuilds({ ...context, change }, outcome, copy.home, directory)
        return end(joinOutcomes(changes, outcomes))
      }
      after = now
      packages.push(lockfile)
    }
    const joined = all?.outcome ?? joinOutcomes(changes, outcomes)
    if (joined.kind === 'nothing-to-do') return { passed: false, outcome: joined }

    onStage('starting')
    const started = changes.filter(({ action }) => action !== 'remove')
    const names = all
      ? packageChanges(before, after).map(({ name }) => name)
      : started.map(({ plan }) => findPackageName(plan.spec, before, after))
    // A disabled plugin is not started, but can be updated.
    const plugins = after.manifest.layers.filter((name) => names.includes(name))
    const added = after.manifest.layers.filter((layer) => !before.manifest.layers.includes(layer))
    const judgement = await judgeStart({ context, copy, plugins, added })
    const place = { from: directory, to: context.directory }
    await context.runRecords.add(pluginRunsIn(judgement, plugins, { started, before, after, ...place }))
    if (judgement.passed) return { ...judgement, packages }
    const [change, ...others] = changes
    const isBlamed = judgement.blame === 'yes' && change !== undefined && others.length === 0
    const removeCommand = isBlamed ? renderRemoveCommand(change, plugins[0] ?? null) : null
    return end({ ...emptyOutcome(judgement.kind, judgement.subjects), parts: joined.parts, removeCommand })
  } finally {
    await copy.dispose()
  }
}

/** Makes one change in the copy. */
async function applyToCopy(context: ChangeContext, copy: TrialHome): ReturnType<typeof runChange> {
  const { change } = context
  if (change.action !== 'enable') return runChange(context, copy.home, copy.directory)
  if (change.package !== null) await addLayer(copy.directory, change.package)
  return keepingDisabled(copy.directory, null, () =>
    copy.run(['plugin', '--profile', change.plan.profile, 'install', '--prefer-offline']),
  )
}

/** Returns what the judgement of a start says of each plugin on trial, by the name that stands for it in the profile. */
function pluginRunsIn(
  judgement: Judgement,
  plugins: readonly string[],
  trial: {
    readonly started: readonly PluginChange[]
    readonly before: ProfileState
    readonly after: ProfileState
    /** Directories of the copy and of the profile. */
    readonly from: string
    readonly to: string
  },
): PluginRun[] {
  const { started, before, after, from, to } = trial
  const why = judgement.passed ? [] : judgement.subjects
  const breaksPage = !judgement.passed && judgement.kind === 'breaks-screen'
  // Of several plugins, nobody knows which one added what.
  const adds = judgement.passed && plugins.length === 1 ? judgement.adds : undefined
  return started.flatMap(({ action, plan, source: chosen }) => {
    const name = findPackageName(plan.spec, before, after)
    // A folder, a tarball or a repository can differ from the published version that it calls itself.
    const isPublished = chosen === undefined || specOfId(chosen)?.kind === 'npm'
    const version = name !== null && isPublished ? after.versions.get(name) : null
    if (name === null || !plugins.includes(name) || !version) return []
    // Only what was fetched has another source than before. In the copy, the paths of a source are others.
    const { dependencies } = (action === 'enable' ? before : after).manifest
    const source = dependencies[name] ?? ''
    const commit = after.commits.get(name)
    const plugin = recordedName(name, version, {
      source: action === 'enable' ? source : movePaths(source, from, to),
      commit,
    })
    return plugin === null
      ? []
      : [{ plugin, runs: runsOf(judgement, name, plugins), breaksPage, why, ...(adds && { adds }) }]
  })
}

/** Outcomes that say that a plugin does not run. One that breaks others may run itself. */
const DOES_NOT_RUN: readonly OutcomeKind[] = ['stops-harness', 'does-not-start', 'breaks-screen']

/** Returns what a judgement says of one of the plugins on trial. */
function runsOf(judgement: Judgement, name: string, plugins: readonly string[]): YesNoUnknown {
  if (judgement.passed) return judgement.trial.harnessStarted ? 'yes' : 'unknown'
  if (judgement.blame !== 'yes' || !DOES_NOT_RUN.includes(judgement.kind)) return 'unknown'
  return plugins.length === 1 || judgement.subjects.some((text) => isNamed(text, name)) ? 'no' : 'unknown'
}
