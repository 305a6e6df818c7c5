import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Activation, LockedPlugin, Outcome } from '../../protocol/index.ts'
import { JOB_STAGES, STAGES_WITHOUT_TRIAL } from '../../protocol/jobs.ts'
import { isSuccess } from '../../protocol/next-steps.ts'
import { malwareIn } from '../../protocol/review-facts.ts'
import { reportBlockedBuilds } from '../harness/command.ts'
import { isTried, type JobContext, type Like } from '../harness/job.ts'
import { classifyFailure, emptyOutcome, profileOutcome } from '../harness/outcome.ts'
import { forgetInstall, runPackageManager } from '../harness/package-manager.ts'
import { advisoriesOfProfile, notLookedUp } from '../inspection/advisories.ts'
import { readHolds, writeHold } from '../plugins/updates.ts'
import { ignoreMissing, writeProfileFile } from '../profile/files.ts'
import { lockDifferences, lockedPackages, readLockfile } from '../profile/lockfile.ts'
import { allowBuilds, changeLayers, manifestOf, withDependencies } from '../profile/manifest.ts'
import { type ProfileState, readProfileState } from '../profile/state.ts'
import { lockedHold, readProfileLock } from '../profile-lock/document.ts'
import { driftOf, isMade } from '../profile-lock/drift.ts'
import { joinPackages, sharedIn } from '../profile-lock/packages.ts'
import { filesOfSettings, readSettings, writeSettings } from '../profile-lock/settings.ts'
import { unaskedIn } from '../profile-lock/unasked.ts'
import { packageChanges } from '../transaction/history.ts'
import { Transaction } from '../transaction/transaction.ts'
import { type PassedTrial, runTrial } from '../trial/judge.ts'
import { reloadInHarness, switchInHarness, watchActivation } from './apply.ts'

/**
 * Makes a profile as a lock says: writes its dependencies and the package manager's lock, has the package manager install
 * them once, and sets the layers. In a copy first, then in the profile itself, which in the end is as the lock says, or as
 * before.
 *
 * @throws when the job cannot begin; then nothing has run
 */
export async function syncProfile(context: JobContext): Promise<Outcome> {
  const { settings, directory, request, onStages, onStage } = context
  const like = request.like!
  const { redactions } = settings
  const now = await readProfileLock(directory, { harness: like.here.harness, redactions })
  if (!isDeepStrictEqual(now, like.here)) return emptyOutcome('profile-changed')
  if (like.isOnlyHolds) {
    const installed = like.here.plugins.map(({ name }) => name)
    const failed = await setHolds(context, like, installed)
    return failed.length > 0 ? emptyOutcome('not-synced', failed) : emptyOutcome('synced')
  }
  const tries = isTried(settings, { action: 'sync', profile: request.profile })
  onStages(tries ? JOB_STAGES : STAGES_WITHOUT_TRIAL)
  const watched = watchActivation(context)
  const specs = [
    ...request.changes.map(({ plan }) => plan.spec),
    ...sharedIn(like.lock).map(({ name }) => ({ kind: 'npm', name }) as const),
  ]
  const files = filesOfSettings(like.lock, await readSettings(directory, redactions))
  const tx = await Transaction.begin(context, { specs, files, isTried: tries })
  const { before } = tx
  let outcome: Outcome
  let after: ProfileState | null
  try {
    let trial: PassedTrial | null = null
    if (tries) {
      const result = await runTrial(context, before, (copy) => makeLike(context, like, { ...copy, before }))
      await context.starts.add(result.tried)
      if (!result.passed) return await tx.rollback(result.outcome)
      trial = result
    }

    await tx.snapshot()
    // What goes is unloaded while its files are there, so that open pages forget it too.
    const wanted = layersOf(like, before, settings.ownPackage)
    for (const name of before.manifest.layers) if (!wanted.includes(name)) await switchInHarness(context, name, false)
    onStage('installing')
    const made = await makeLike(context, like, { home: settings.home, directory, before })
    onStage('checking')
    after = made.after
    const differences = trial ? lockDifferences(trial.packages.at(-1) ?? null, await lockedPackages(directory)) : []
    if (after === null || !isSuccess(made.outcome.kind) || differences.length > 0)
      return await tx.rollback(differences.length > 0 ? emptyOutcome('trial-differs', differences) : made.outcome)
    const activation: Activation = packageChanges(before, after).length > 0 ? 'restart' : 'unchanged'
    const profile = profileOutcome({ specs, before, after })
    outcome = await tx.commit({ ...made.outcome, trial: trial?.trial ?? null, profile, activation }, after)
  } catch (error) {
    return tx.rollback(error)
  }

  // The profile is kept by now. A running harness loads what was compared with the trial.
  await setHolds(context, like, Object.keys(after.manifest.dependencies))
  const changes = packageChanges(before, after)
  const loaded = changes.filter((change) => change.after?.enabled).map(({ name }) => name)
  await reloadInHarness(context, loaded, after)
  const ends = changes.map(
    (change): Outcome => ({ ...outcome, kind: change.after?.enabled ? 'updated' : 'disabled', subjects: [] }),
  )
  const names = changes.map(({ name }) => name)
  return changes.length === 0 ? outcome : { ...outcome, activation: await watched.afterCommit(ends, names) }
}

/** A profile or its copy. */
interface Place {
  readonly home: string
  readonly directory: string
  /** The profile before the job. */
  readonly before: ProfileState
}

/** Makes a profile or its copy as a lock says, and reads what became of it. */
async function makeLike(
  context: JobContext,
  like: Like,
  { home, directory, before }: Place,
): Promise<{ readonly outcome: Outcome; readonly after: ProfileState | null }> {
  const { settings, request, signal } = context
  const { lock, isExact, isFrozen } = like
  const isCopy = directory !== context.directory
  const read = () => readProfileState(directory, context.directory)
  const end = async (outcome: Outcome) => ({ outcome, after: await read() })

  // 1. What the package manager installs from.
  await writeSettings(directory, lock, isExact)
  for (const { approval } of request.changes) if (approval) await allowBuilds(directory, approval, context.directory)
  const isOwn = (name: string) => name === settings.ownPackage
  // The store stays as it is.
  const isSame = ({ name, version }: LockedPlugin) => !isOwn(name) || before.versions.get(name) === version
  const names = sharedIn(lock)
    .filter(isSame)
    .map(({ name }) => name)
  const inLock = new Set(lock.plugins.map(({ name }) => name))
  const manifest = await readFile(join(directory, 'package.json'), 'utf8')
  const own = Object.entries(manifestOf(manifest).dependencies).filter(
    ([name]) => !isExact || isOwn(name) || inLock.has(name),
  )
  const keeps = own.map(([name]) => name).filter((name) => !names.includes(name))
  const here = (await readFile(join(directory, 'pnpm-lock.yaml'), 'utf8').catch(ignoreMissing)) ?? null
  const joined = joinPackages(lock, { names, keeps, here })
  if (joined === null) return end(emptyOutcome('reinstall-needed'))
  const changed = withDependencies(manifest, Object.fromEntries([...own, ...joined.specs]))
  if (changed !== manifest) await writeProfileFile(directory, 'package.json', changed)
  if (joined.text !== here) await writeProfileFile(directory, 'pnpm-lock.yaml', joined.text)

  // 2. The reviews looked up what a registry would install now; this is what the file installs.
  if (isCopy || !isTried(settings, { action: 'sync', profile: request.profile })) {
    const known = await advisoriesOfProfile({ directory, env: settings.env, signal })
    const [malware] = known.state === 'read' ? malwareIn(known.found) : []
    const unknown =
      known.state === 'read' ? notLookedUp(known) : ['Known problems of its packages could not be looked up.']
    for (const line of unknown) context.output.write('out', `${line}\n`)
    if (malware) return end(emptyOutcome('unsafe-lock', [malware.package]))
  }

  // 3. One install, which keeps the versions of that lock.
  await forgetInstall(directory)
  const verb = ['install', isFrozen ? '--frozen-lockfile' : '--no-frozen-lockfile']
  const ran = await runPackageManager(context, { home, directory }, verb)
  const installed = await read()
  const unbuilt = (installed?.unbuilt ?? []).filter((id) => !before.unbuilt.includes(id))
  if (ran.end.kind === 'not-found' || ran.end.kind === 'not-started') return end(emptyOutcome('pnpm-missing'))
  if (ran.end.kind !== 'exited' || ran.end.code !== 0 || unbuilt.length > 0) {
    const profile = { dependencies: before.manifest.dependencies, unbuilt }
    const failure =
      ran.end.kind === 'timed-out' || ran.end.kind === 'cancelled'
        ? emptyOutcome(ran.end.kind)
        : {
            ...emptyOutcome('build-blocked', unbuilt),
            ...(ran.end.code === 0 ? {} : classifyFailure(ran.output, ran.end, profile)),
          }
    for (const change of request.changes) await reportBlockedBuilds({ ...context, change }, failure, home, directory)
    return end(failure)
  }

  const written = await readLockfile(directory)
  const [unasked] = written ? await unaskedIn(directory, written) : []
  if (unasked) return end(emptyOutcome('unsafe-lock', unasked))

  // 4. The layers last: nothing that is new runs before its files are there.
  await changeLayers(directory, () => layersOf(like, before, settings.ownPackage))
  const after = await read()
  const now = await readProfileLock(directory, { harness: null, redactions: settings.redactions })
  const left = now && driftOf(lock, now).filter((one) => isMade(one) && isMeant(one.name, like, settings.ownPackage))
  const isBytes = !isFrozen || (await readFile(join(directory, 'pnpm-lock.yaml'), 'utf8')) === joined.text
  if (after === null || left === null || left.length > 0 || !isBytes)
    return { outcome: emptyOutcome('not-synced', left?.map(({ name }) => name) ?? []), after }
  return { outcome: emptyOutcome('synced'), after }
}

/** Returns true for what a sync makes: the order of the layers, and plugins that other machines can have too. */
const isMeant = (name: string, { lock }: Like, own: string | null): boolean =>
  name !== own && !lock.plugins.some((plugin) => plugin.name === name && plugin.spec === null)

/**
 * Returns the layers of a profile as a lock has them, in its order. A layer that the lock does not name, and one of the
 * harness itself, stays behind the one that it is behind now.
 */
function layersOf({ lock, isExact }: Like, { manifest }: ProfileState, own: string | null): string[] {
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

/** Holds the installed plugins of a lock as it does. @returns those whose hold could not be written */
async function setHolds(
  { directory, settings, output }: JobContext,
  { lock }: Like,
  installed: readonly string[],
): Promise<string[]> {
  const holds = (await readHolds(directory)) ?? {}
  const failed: string[] = []
  for (const { name, held } of lock.plugins) {
    // The store stays as it is.
    if (name === settings.ownPackage || !installed.includes(name)) continue
    if (isDeepStrictEqual(held, lockedHold(holds[name], settings.redactions))) continue
    await writeHold(directory, name, held && { ...held, since: settings.now() }).catch((error) => {
      failed.push(name)
      output.write('err', `The hold of ${name} is not as in the lock: ${error.message}\n`)
    })
  }
  return failed
}
