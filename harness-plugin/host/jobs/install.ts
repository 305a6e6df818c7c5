import { parseDependency } from '@plugmark/shared/install'
import type { Outcome, PartOutcome } from '../../protocol/index.ts'
import { JOB_STAGES, STAGES_WITHOUT_TRIAL } from '../../protocol/jobs.ts'
import { isSuccess, waitingSubjects } from '../../protocol/next-steps.ts'
import { reportBlockedBuilds } from '../harness/command.ts'
import { isTried, type JobContext, type PluginChange, startedName } from '../harness/job.ts'
import { emptyOutcome, joinOutcomes, profileOutcome } from '../harness/outcome.ts'
import { writeHold } from '../plugins/updates.ts'
import { withTimeout } from '../process/run.ts'
import { allowBuilds } from '../profile/manifest.ts'
import { findPackageName, readProfileState } from '../profile/state.ts'
import { Registry } from '../registry/registry.ts'
import { findNewerReleases, readReleaseAge } from '../releases/release-age.ts'
import { Transaction } from '../transaction/transaction.ts'
import { type PassedTrial, runTrial } from '../trial/judge.ts'
import { applyChanges, type Changed, reloadInHarness, watchActivation } from './apply.ts'

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
  const activation = watchActivation(context)

  const tried = await Promise.all(changes.map((change) => needsTrial(context, change)))
  const isSomeTried = tried.includes(true)
  onStages(isSomeTried ? JOB_STAGES : STAGES_WITHOUT_TRIAL)
  const tx = await Transaction.begin(context, { specs, isTried: isSomeTried })
  const { before } = tx
  let made: Changed | null = null
  let trial: PassedTrial | null = null
  let outcome: Outcome
  try {
    // 1. Try the changes in a copy.
    if (isSomeTried) {
      const result = await runTrial(context, before)
      await context.starts.add(result.tried)
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
      const kept = { ...result, profile: profileOutcome({ specs, before, after }) }
      outcome = await tx.commit(kept, after, { isUndoable: result.kind !== 'up-to-date' })
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
  const { outcomes, after } = made
  const names = specs.map((spec) => findPackageName(spec, before, after))
  if (isSuccess(outcome.kind)) {
    await holdVersions(context, names)
    const applied = await activation.afterCommit(outcomes, names)
    return { ...outcome, activation: applied, ...activation.adds(applied, trial?.adds, outcome.kind === 'updated') }
  }
  const now = await readProfileState(directory)
  const known = names.filter((name) => name !== null)
  const reverted = await activation.afterRollback(now, known)
  if (reverted === 'unchanged' || outcome.rollback !== 'complete' || now === null)
    return { ...outcome, activation: reverted }
  // What the update unloaded stays so: without this, the version before would look as if it did not start.
  const lost = known.filter((name) => before.manifest.layers.includes(name) && now.manifest.layers.includes(name))
  await reloadInHarness(context, lost, now)
  return { ...outcome, activation: await activation.afterRollback(now, known) }
}

/**
 * Holds the plugins whose changes ask for it. The changes are kept by now, also if a hold cannot be written.
 *
 * @param names packages of the changes, in their order
 */
async function holdVersions({ directory, request, settings, output }: JobContext, names: readonly (string | null)[]) {
  for (const [index, { hold }] of request.changes.entries()) {
    const name = names[index] ?? null
    if (!hold || name === null) continue
    await writeHold(directory, name, { ...hold, since: settings.now() }).catch((error) => {
      output.write('err', `The version of ${name} is not held: ${error.message}\n`)
    })
  }
}

/** Returns false for what is harmless, and for enabling a published version or a commit that ran here before. */
async function needsTrial(
  { settings, directory, request, starts }: JobContext,
  change: PluginChange,
): Promise<boolean> {
  const { action, package: name } = change
  if (!isTried(settings, { action, profile: request.profile })) return false
  if (action !== 'enable' || name === null) return true
  const state = await readProfileState(directory)
  const version = state?.versions.get(name) ?? null
  const source = state?.manifest.dependencies[name] ?? ''
  const commit = state?.commits.get(name)
  const started = version === null ? null : startedName(name, version, { source, commit })
  // A folder may have changed since it ran.
  return started === null || parseDependency(name, source) === null || !(await starts.hasRun(started))
}

const NEWER_RELEASE_TIMEOUT_MS = 15_000

/**
 * Names the releases that pnpm does not install yet in an outcome by which plugins are up to date. Such a pnpm does not
 * even ask the registry, so that it says the same when there is a newer release. Does so too for a plugin of which pnpm
 * took an old release that is not a plugin, such as one that only reserved the name.
 */
async function nameWaitingReleases(context: JobContext, outcome: Outcome): Promise<Outcome> {
  const { changes } = context.request
  if (changes.length === 1) return { ...outcome, ...(await nameRelease(context, changes[0]!, outcome)) }
  const parts = outcome.parts.map(async (part): Promise<PartOutcome> => {
    const change = changes.find(({ listing }) => listing === part.listing)
    return change === undefined ? part : { ...part, ...(await nameRelease(context, change, part)) }
  })
  return { ...outcome, parts: await Promise.all(parts) }
}

type Result = Pick<Outcome, 'kind' | 'subjects'>

async function nameRelease(
  { settings, directory, ...context }: JobContext,
  { plan: { spec }, version, source }: PluginChange,
  { kind, subjects }: Result,
): Promise<Result> {
  const isNoPlugin = kind === 'not-a-layer' || kind === 'no-effect'
  const isChosen = version !== undefined || source !== undefined
  if (spec.kind !== 'npm' || !(kind === 'up-to-date' || (isNoPlugin && !isChosen))) return { kind, subjects }
  const [before, installed = ''] = isNoPlugin ? [] : subjects
  const current = isNoPlugin ? null : installed
  const signal = withTimeout(context.signal, NEWER_RELEASE_TIMEOUT_MS)
  const age = await readReleaseAge({ env: settings.env, signal, cwd: directory })
  if (age === null || (age.minutes === 0 && !age.needsTrust)) return { kind, subjects }
  const registry = new Registry(directory, settings.env)
  const answer = await registry.package(spec.name, { signal })
  if (answer.state !== 'read') return { kind, subjects: isNoPlugin ? subjects : [before ?? ''] }
  const now = settings.now()
  const newer = await findNewerReleases(answer.document, { current, readAge: async () => age, registry, signal, now })
  if (isNoPlugin) {
    if (newer.waiting === null || newer.waiting === 'unknown') return { kind, subjects }
    const { version, until } = newer.waiting
    return { kind: 'too-new', subjects: [`${spec.name}@${version}`, `${until.slice(0, 16)}Z`] }
  }
  const { version: found, waiting } = newer
  if (waiting === 'unknown') return { kind, subjects: [before ?? ''] }
  if (waiting !== null) return { kind, subjects: [...subjects, ...waitingSubjects({ ...waiting, isUnseen: false })] }
  if (found === null) return { kind, subjects }
  // pnpm 11 keeps what a registry said for as long as releases wait, and 12 does not. (Seen with 11.28 and 12.21.)
  if (age.pnpm !== 11 || age.minutes === 0) return { kind, subjects: [before ?? ''] }
  const until = new Date(now + age.minutes * 60_000).toISOString()
  const left = { version: found, until, pnpm: age.pnpm, minutes: age.minutes, isUnseen: true }
  return { kind, subjects: [...subjects, ...waitingSubjects(left)] }
}
