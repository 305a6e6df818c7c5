import { parseDependency } from '@plugmark/shared/install'
import type { Outcome, PartOutcome } from '../../protocol/index.ts'
import { isSuccess, waitingSubjects } from '../../protocol/next-steps.ts'
import { type CommandEnd, reportBlockedBuilds, runChange, sourceText } from '../harness/command.ts'
import {
  type ChangeContext,
  isToggle,
  isTried,
  type JobContext,
  type PluginChange,
  startedName,
} from '../harness/job.ts'
import {
  emptyOutcome,
  joinOutcomes,
  OTHER_VERSION,
  otherVersion,
  profileOutcome,
  readOutcome,
} from '../harness/outcome.ts'
import { isDesktop } from '../harness/running-harness.ts'
import { withTimeout } from '../process/run.ts'
import { lockDifferences, lockedPackages } from '../profile/lockfile.ts'
import { addBundle, allowBuilds, orderBundles, removeBundle } from '../profile/manifest.ts'
import { findPackageName, type ProfileState, readProfileState } from '../profile/state.ts'
import { Registry } from '../registry/registry.ts'
import { findNewerReleases, readReleaseAge } from '../releases/release-age.ts'
import { Transaction } from '../transaction/transaction.ts'
import { type PassedTrial, runTrial } from '../trial/judge.ts'
import { callPluginManager, watchActivation } from './manager.ts'

/**
 * Makes the reviewed changes of a job: tries them in a copy of the profile, then makes them in the profile itself. In the
 * end the profile has all of them, or is as before.
 *
 * @throws when the job cannot begin; then nothing has run
 */
export async function changePlugins(context: JobContext): Promise<Outcome> {
  const { settings, directory, request, onStage } = context
  const { changes } = request
  const specs = changes.map(({ plan }) => plan.spec)
  const activation = watchActivation(context)

  const tried = await Promise.all(changes.map((change) => needsTrial(context, change)))
  const isSomeTried = tried.includes(true)
  const tx = await Transaction.begin(context, { specs, isTried: isSomeTried })
  const { before } = tx
  let made: Changed | null = null
  let outcome: Outcome
  try {
    // 1. Try the changes in a copy.
    let trial: PassedTrial | null = null
    if (isSomeTried) {
      const result = await runTrial(context, tx)
      await context.onTried(result.tried)
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
  if (isSuccess(outcome.kind)) return { ...outcome, activation: await activation.afterCommit(outcomes, names) }
  const now = await readProfileState(directory)
  const known = names.filter((name) => name !== null)
  return { ...outcome, activation: await activation.afterRollback(now, known) }
}

/** Returns false for what is harmless, and for enabling a published version or a commit that ran here before. */
async function needsTrial(
  { settings, directory, request, hasRun }: JobContext,
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
  return started === null || parseDependency(name, source) === null || !(await hasRun(started))
}

interface Applied {
  readonly end: CommandEnd
  readonly output: readonly string[]
  /** Error code of the plugin manager's refusal, or `OTHER_VERSION`; null when it did not refuse or was not used. */
  readonly refusal: string | null
  /** Packages that differ between the profile and the trial's copy. */
  readonly differences: readonly string[]
}

interface Expected {
  readonly before: ProfileState
  /** Packages that the trial's copy had after this change; undefined when there was no trial. */
  readonly tried: ReadonlyMap<string, string> | null | undefined
}

export interface Changed {
  /** Outcomes of the changes so far, in order; the last may be a failure. */
  readonly outcomes: readonly Outcome[]
  /** Packages that differ between the profile and the trial's copy after the last of those changes. */
  readonly differences: readonly string[]
  /** The profile after that; null when it can no longer be read. */
  readonly after: ProfileState | null
}

/**
 * Makes a job's changes in the profile itself, one after the other, until one fails.
 *
 * @param packages packages of the trial's copy after each change; null when there was no trial
 */
async function applyChanges(
  context: JobContext,
  before: ProfileState,
  packages: readonly (ReadonlyMap<string, string> | null)[] | null,
): Promise<Changed> {
  const outcomes: Outcome[] = []
  let after: ProfileState | null = before
  let differences: readonly string[] = []
  for (const [index, change] of context.request.changes.entries()) {
    if (after === null) break
    const expected: Expected = { before: after, tried: packages?.[index] }
    const applied = await applyToProfile({ ...context, change }, expected)
    after = await readProfileState(context.directory)
    const { action, plan } = change
    outcomes.push(
      readOutcome({
        ...applied,
        action,
        spec: plan.spec,
        isAnySource: change.source !== undefined,
        agreed: change.agreed,
        agreedCommit: change.agreedCommit,
        before: expected.before,
        after,
      }),
    )
    differences = applied.differences
    if (differences.length > 0 || !outcomes.every(({ kind }) => isSuccess(kind))) break
  }
  return { outcomes, differences, after }
}

/**
 * Makes one change by the plugin manager of the harness that runs from the profile, if there is one, so that nothing
 * new runs in that harness before it was compared with the trial. Otherwise by the command line.
 */
async function applyToProfile(context: ChangeContext, expected: Expected): Promise<Applied> {
  return (await applyByManager(context, expected)) ?? applyByCommand(context, expected)
}

async function applyByCommand(context: ChangeContext, expected: Expected): Promise<Applied> {
  const { action, package: name } = context.change
  if (isToggle(context.change) && name !== null) {
    // The command line cannot do this. A harness that runs from the profile follows at its next start.
    await (action === 'enable' ? addBundle : removeBundle)(context.directory, name)
    return { end: { kind: 'exited', code: 0 }, output: [], refusal: null, differences: [] }
  }
  const ran = await runChange(context, context.settings.home, context.directory)
  return compare(context, expected, { ...ran, refusal: null })
}

/**
 * Makes a change by the plugin manager.
 *
 * @returns null for changes that the command line must make: approved scripts must not see the harness's own
 *   environment, and the manager has no option for a proxy
 */
async function applyByManager(context: ChangeContext, expected: Expected): Promise<Applied | null> {
  const { change, settings, directory, job } = context
  const { action, package: name } = change
  const { bundles } = expected.before.manifest
  const manager = context.harness?.pluginManager() ?? null
  // The manager would unload the store in the middle of its own update.
  if (manager === null || (name !== null && name === settings.ownPackage)) return null
  const hasCommand = !isDesktop(settings, change.plan.profile)
  const call = async (run: () => Promise<unknown>) => ({
    ...(await callPluginManager(context, manager, run)),
    differences: [],
  })
  const enable = (name: string) => call(() => manager.setBundleEnabled(name, true))
  const disable = (name: string) => call(() => manager.setBundleEnabled(name, false))
  const remove = (name: string) => call(() => manager.removeBundle(name))
  // The harness runs what is enabled at once, so the version is compared before.
  const enableIfAgreed = async (name: string, installed: Applied): Promise<Applied> => {
    const { agreed, agreedCommit, plan } = change
    const finished = { action, spec: plan.spec, agreed, agreedCommit, before: expected.before }
    const isOther = otherVersion({ ...finished, after: await readProfileState(directory) }) !== null
    return isOther ? { ...installed, refusal: OTHER_VERSION } : enable(name)
  }
  const add = async (): Promise<Applied> => {
    const source = sourceText(change)
    const added = await call(() => manager.installBundle(source, { enabled: false, requestId: job.id }))
    const compared = await compare(context, expected, added)
    return added.bundle !== null && isAsTried(compared) ? enableIfAgreed(added.bundle, compared) : compared
  }
  // The manager does not install another version of an installed package, but disabling and enabling reloads it.
  const update = async (name: string): Promise<Applied> => {
    const gone = await (hasCommand ? disable(name) : remove(name))
    if (!isAsTried(gone)) return gone
    const updated = await (hasCommand ? applyByCommand(context, expected) : add())
    if (!isAsTried(updated)) return updated
    const enabled = hasCommand ? await enableIfAgreed(name, updated) : updated
    // Enabling adds the bundle at the end. If the profile cannot be read or written here, the verification fails later.
    await orderBundles(directory, bundles).catch(() => {})
    return { ...enabled, output: updated.output }
  }

  if (name === null) return hasCommand && (change.approval || settings.ownNetwork) ? null : add()
  if (action === 'remove') return remove(name)
  if (action === 'enable') return enable(name)
  if (action === 'disable') return disable(name)
  const isReplaced = action === 'update' || change.version !== undefined
  return (isReplaced && bundles.includes(name)) || !hasCommand ? update(name) : null
}

/** Returns true if the change succeeded and installed the same packages as the trial. */
const isAsTried = ({ end, differences }: Applied): boolean => end.code === 0 && differences.length === 0

async function compare<T extends Omit<Applied, 'differences'>>(
  { directory }: JobContext,
  { tried }: Expected,
  applied: T,
): Promise<T & Applied> {
  const isCompared = tried !== undefined && applied.end.kind === 'exited' && applied.end.code === 0
  const differences = isCompared ? lockDifferences(tried, await lockedPackages(directory)) : []
  return { ...applied, differences }
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
  if (age === null || age.minutes === 0) return { kind, subjects }
  const registry = new Registry(directory, settings.env)
  const answer = await registry.package(spec.name, { signal })
  if (answer.state !== 'read') return { kind, subjects: isNoPlugin ? subjects : [before ?? ''] }
  const now = settings.now()
  const newer = await findNewerReleases(answer.document, { current, readAge: async () => age, registry, signal, now })
  if (isNoPlugin && newer.waiting === null) return { kind, subjects }
  if (isNoPlugin && newer.waiting !== null) {
    const { version, until } = newer.waiting
    return { kind: 'too-new', subjects: [`${spec.name}@${version}`, `${until.slice(0, 16)}Z`] }
  }
  if (newer.waiting !== null) return { kind, subjects: [...subjects, ...waitingSubjects(newer.waiting)] }
  // pnpm left out a newer version for a reason that is not known.
  return { kind, subjects: newer.version === null ? subjects : [before ?? ''] }
}
