import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Activation, Outcome } from '../../protocol/index.ts'
import { JOB_STAGES, STAGES_WITHOUT_TRIAL } from '../../protocol/jobs.ts'
import { isSuccess } from '../../protocol/next-steps.ts'
import { malwareIn } from '../../protocol/review-facts.ts'
import { reportBlockedBuilds } from '../harness/command-line.ts'
import { isTried, type JobContext, type ProfileRequest, type SyncTarget } from '../harness/job.ts'
import { emptyOutcome, profileOutcome } from '../harness/outcome.ts'
import { forgetInstall, runPackageManager } from '../harness/package-manager.ts'
import { classifyFailure } from '../harness/pnpm-errors.ts'
import { advisoriesOfProfile, notLookedUp } from '../inspection/advisories.ts'
import { ignoreMissing, writeProfileFile } from '../profile/files.ts'
import { type HoldChanges, loadHolds } from '../profile/holds.ts'
import { packageDifferences, readLockfile, readLockfilePackages } from '../profile/lockfile.ts'
import { allowBuilds, changeLayers, manifestOf, withDependencies } from '../profile/manifest.ts'
import { type ProfileState, readProfileState } from '../profile/state.ts'
import { lockedHold, readProfileLock } from '../profile-lock/document.ts'
import { driftOf, ENDED } from '../profile-lock/drift.ts'
import { filesOfSettings, writeSettings } from '../profile-lock/locked-settings.ts'
import { joinPackages, sharedIn } from '../profile-lock/packages.ts'
import { unaskedIn } from '../profile-lock/unasked.ts'
import { packageChanges } from '../transaction/history.ts'
import { Transaction } from '../transaction/transaction.ts'
import { ActivationWatch } from './apply.ts'
import { runTrial } from './install.ts'

/**
 * Makes a profile as a lock says: in a copy first, then in the profile itself, which in the end is as the lock says, or
 * as before.
 *
 * @throws when the job cannot begin; then nothing has run
 */
export async function syncProfile(context: JobContext<ProfileRequest<'sync'>>): Promise<Outcome> {
  const { settings, directory, request, onStages, onStage } = context
  const { target } = request
  const { lock, here, isOnlyHolds } = target
  const now = await readProfileLock(directory, { harness: here.harness, redactions: settings.redactions })
  if (!isDeepStrictEqual(now, here)) return emptyOutcome('profile-changed')
  const isSomeTried = !isOnlyHolds && isTried(settings, { action: 'sync', profile: request.profile })
  onStages(isSomeTried ? JOB_STAGES : STAGES_WITHOUT_TRIAL)
  const running = new ActivationWatch(context)
  const specs = [
    ...request.changes.map(({ plan }) => plan.spec),
    ...sharedIn(lock).map(({ name }) => ({ kind: 'npm', name }) as const),
  ]
  const tx = await Transaction.begin(context, { specs, files: filesOfSettings(lock, here), isTried: isSomeTried })
  const { before } = tx
  const rollBack = async (failed: unknown) => running.afterRollback(await tx.rollback(failed))
  let outcome: Outcome
  let after: ProfileState | null
  try {
    // 1. Try it in a copy.
    const trial = isSomeTried
      ? await runTrial(context, before, (copy) => applyLock(context, target, { ...copy, before, isFirst: true }))
      : null
    if (trial && !trial.passed) return await rollBack(trial.outcome)

    // 2. Make it in the profile.
    await tx.snapshot()
    const wanted = layersOf(target, before, settings.ownPackage)
    await running.unload(before.manifest.layers.filter((one) => !wanted.includes(one)))
    for (const { approval } of request.changes) if (approval) await allowBuilds(directory, approval)
    onStage('installing')
    const place = { home: settings.home, directory, before, isFirst: trial === null }
    const made = isOnlyHolds
      ? { outcome: emptyOutcome('synced'), after: before }
      : await applyLock(context, target, place)
    onStage('checking')

    // 3. Keep the profile if it has the same packages as the trial.
    after = made.after
    const differences = trial
      ? packageDifferences(trial.packages.at(-1) ?? null, await readLockfilePackages(directory))
      : []
    if (after === null || !isSuccess(made.outcome.kind) || differences.length > 0)
      return await rollBack(differences.length > 0 ? emptyOutcome('source-changed', differences) : made.outcome)
    await tx.changeHolds(await holdsOf(context, target, after))
    const activation: Activation = packageChanges(before, after).length > 0 ? 'restart' : 'unchanged'
    const profile = profileOutcome({ specs, before, after })
    outcome = await tx.commit({ ...made.outcome, trial: trial?.trial ?? null, profile, activation }, after)
  } catch (error) {
    return rollBack(error)
  }

  // 4. A running harness loads what was compared with the trial.
  return running.afterSwitch(outcome, before, after)
}

/** Returns the new holds of plugins that a lock has, and that are installed now. */
async function holdsOf(
  { directory, settings: { ownPackage, redactions, now } }: JobContext,
  { lock }: SyncTarget,
  { manifest }: ProfileState,
): Promise<HoldChanges> {
  const holds = await loadHolds(directory)
  const changed = lock.plugins.filter(
    ({ name, held }) =>
      name !== ownPackage &&
      Object.hasOwn(manifest.dependencies, name) &&
      !isDeepStrictEqual(held, lockedHold(holds[name], redactions)),
  )
  return Object.fromEntries(changed.map(({ name, held }) => [name, held && { ...held, since: now() }]))
}

// In a copy, and in the profile.

/** A profile or its copy. */
interface TargetProfile {
  readonly home: string
  readonly directory: string
  /** The profile before the job. */
  readonly before: ProfileState
  /** True if this lock was not applied in a copy before. */
  readonly isFirst: boolean
}

/** Makes a profile or its copy as a lock says, and reads what became of it. */
async function applyLock(
  context: JobContext,
  target: SyncTarget,
  place: TargetProfile,
): Promise<{ readonly outcome: Outcome; readonly after: ProfileState | null }> {
  const { directory, before } = place
  const text = await writeInput(context, target, place)
  const failure =
    text === null
      ? emptyOutcome('pnpm-unusable', ['pnpm-lock.yaml'])
      : ((await findMalware(context, place)) ??
        (await install(context, target, place)) ??
        (await findUnasked(directory)))
  // The layers last: nothing that is new runs before its files are there.
  if (failure === null) await changeLayers(directory, () => layersOf(target, before, context.settings.ownPackage))
  const after = await readProfileState(directory, context.directory)
  if (failure !== null || after === null) return { outcome: failure ?? emptyOutcome('not-synced'), after }
  return { outcome: await compare(context, target, { directory, text }), after }
}

/**
 * Writes what the package manager installs from: its settings, package.json and its lock.
 *
 * @returns the text of that lock; null where it cannot be joined with that of the profile
 */
async function writeInput(
  { settings }: JobContext,
  { lock, here: known, isExact }: SyncTarget,
  { directory, before }: TargetProfile,
): Promise<string | null> {
  await writeSettings(directory, lock, isExact ? known.settings : {})
  // The store stays as it is.
  const isOwn = (name: string) => name === settings.ownPackage
  const plugins = new Map(lock.plugins.map((plugin) => [plugin.name, plugin]))
  const isTaken = (name: string) => {
    const plugin = plugins.get(name)
    return plugin?.spec != null && (!isOwn(name) || before.versions.get(name) === plugin.version)
  }
  const manifest = await readFile(join(directory, 'package.json'), 'utf8')
  const stays = Object.entries(manifestOf(manifest).dependencies).filter(
    ([name]) => !isExact || isOwn(name) || plugins.has(name),
  )
  const keeps = stays.map(([name]) => name).filter((name) => !isTaken(name))
  const here = (await readFile(join(directory, 'pnpm-lock.yaml'), 'utf8').catch(ignoreMissing)) ?? ''
  const joined = joinPackages(lock, { isTaken, keeps, here })
  if (joined === null) return null
  const changed = withDependencies(manifest, { ...Object.fromEntries(stays), ...joined.specs })
  if (changed !== manifest) await writeProfileFile(directory, 'package.json', changed)
  if (joined.text !== here) await writeProfileFile(directory, 'pnpm-lock.yaml', joined.text)
  return joined.text
}

/** Looks for malware in what the lock installs: the reviews looked at what a registry would install now. */
async function findMalware(
  { settings, signal, output }: JobContext,
  { directory, isFirst }: TargetProfile,
): Promise<Outcome | null> {
  if (!isFirst) return null
  const known = await advisoriesOfProfile({ directory, env: settings.env, signal })
  const unknown =
    known.state === 'read' ? notLookedUp(known) : ['Known problems of its packages could not be looked up.']
  for (const line of unknown) output.write('out', `${line}\n`)
  const [malware] = known.state === 'read' ? malwareIn(known.found) : []
  return malware ? emptyOutcome('unsafe-lock', [malware.package]) : null
}

/** Has the package manager install the versions of its lock. @returns why that failed */
async function install(
  context: JobContext,
  { isFrozen }: SyncTarget,
  { home, directory, before }: TargetProfile,
): Promise<Outcome | null> {
  await forgetInstall(directory)
  const verb = ['install', isFrozen ? '--frozen-lockfile' : '--no-frozen-lockfile']
  const { end, output } = await runPackageManager(context, { home, directory }, verb)
  const { unbuilt: all = [] } = (await readProfileState(directory, context.directory)) ?? {}
  const unbuilt = all.filter((id) => !before.unbuilt.includes(id))
  if (end.kind === 'exited' && end.code === 0 && unbuilt.length === 0) return null
  if (end.kind === 'not-found' || end.kind === 'not-started') return emptyOutcome('program-missing', ['pnpm'])
  if (end.kind === 'timed-out' || end.kind === 'cancelled') return emptyOutcome(end.kind)
  const profile = { dependencies: before.manifest.dependencies, unbuilt }
  const failure =
    end.code === 0
      ? emptyOutcome('build-blocked', unbuilt)
      : { ...emptyOutcome('failed'), ...classifyFailure(output, end, profile) }
  for (const change of context.request.changes)
    await reportBlockedBuilds({ ...context, change }, failure, home, directory)
  return failure
}

async function findUnasked(directory: string): Promise<Outcome | null> {
  const written = await readLockfile(directory)
  if (written === null) return emptyOutcome('not-synced')
  const [unasked] = await unaskedIn(directory, written)
  return unasked ? emptyOutcome('unsafe-lock', unasked) : null
}

/** Compares what was made with the lock, but for the store itself. */
async function compare(
  { settings: { ownPackage, redactions } }: JobContext,
  { lock, isFrozen }: SyncTarget,
  { directory, text }: { readonly directory: string; readonly text: string | null },
): Promise<Outcome> {
  const now = await readProfileLock(directory, { harness: null, redactions })
  const left = now && driftOf(lock, now).filter(({ kind, name }) => ENDED.includes(kind) && name !== ownPackage)
  const isSame = !isFrozen || (await readFile(join(directory, 'pnpm-lock.yaml'), 'utf8')) === text
  if (left?.length === 0 && isSame) return emptyOutcome('synced')
  return emptyOutcome('not-synced', left?.map(({ name }) => name) ?? [])
}

/**
 * Returns the layers of a profile as a lock has them, in its order. A layer that the lock does not name, and one of the
 * harness itself, stays behind the one that it is behind now.
 */
function layersOf({ lock, isExact }: SyncTarget, { manifest }: ProfileState, own: string | null): string[] {
  const plugins = new Map(lock.plugins.map((plugin) => [plugin.name, plugin]))
  const isHere = (name: string) => manifest.layers.includes(name)
  const isMade = (name: string) => {
    const plugin = plugins.get(name)
    const isPlugin = Object.hasOwn(manifest.dependencies, name)
    return plugin !== undefined && name !== own && (isPlugin || (plugin.spec !== null && !isHere(name)))
  }
  const layers = [...new Set(lock.layers)].filter((name) => isMade(name) || isHere(name))
  for (const [index, name] of manifest.layers.entries()) {
    const isGone = isExact && name !== own && !plugins.has(name) && Object.hasOwn(manifest.dependencies, name)
    if (layers.includes(name) || isMade(name) || isGone) continue
    const previous = manifest.layers.slice(0, index).findLast((one) => layers.includes(one))
    layers.splice(previous === undefined ? 0 : layers.indexOf(previous) + 1, 0, name)
  }
  return layers
}
