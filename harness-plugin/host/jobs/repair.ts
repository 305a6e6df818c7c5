import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseDependency } from '@plugmark/shared/install'
import { isBroken } from '../../protocol/fit.ts'
import type { EntryState, LeftUpdate, Outcome, RepairAction, RepairPlan, RepairStep } from '../../protocol/index.ts'
import { JOB_STAGES } from '../../protocol/jobs.ts'
import { findCulpritsIn } from '../doctor/find-culprits.ts'
import { setUnreadableFilesAside } from '../doctor/stored-files.ts'
import { isHarness } from '../harness/command-line.ts'
import { type JobContext, type ProfileRequest, usesPackageManager } from '../harness/job.ts'
import { emptyOutcome, otherVersion, readOutcome } from '../harness/outcome.ts'
import { forgetInstall, runPackageManager } from '../harness/package-manager.ts'
import { appliesChanges } from '../harness/reliances.ts'
import type { FittingVersion } from '../plugins/fit-check.ts'
import { abortKind, programExists } from '../process/run.ts'
import { packageDifferences, readLockfilePackages } from '../profile/lockfile.ts'
import { changeLayers, manifestOf, removePins } from '../profile/manifest.ts'
import { changedFiles, type ProfileState, readProfileState } from '../profile/state.ts'
import { outcomeOfError, Transaction } from '../transaction/transaction.ts'
import type { Boot } from '../trial/boot.ts'
import { LONG_PAGE_MS } from '../trial/probe.ts'
import { TrialHome, withoutLayers } from '../trial/trial-home.ts'

/** What the host finds of an update, beside that it fits. */
interface FoundUpdate extends Pick<RepairStep, 'integrity'> {
  /** Why only the user decides about it; null when a repair may make it. */
  readonly why: LeftUpdate['why'] | null
}

/**
 * Plans the repair of a profile: one step for each broken entry that has a safe one. Enabling, installing from the
 * lockfile and removing a pin restore what ran before; an update is safe if the version declares to fit the harness, and
 * nothing is left for the user to decide.
 *
 * @param given.findUpdate finds the version to update a plugin to; null when none declares to fit
 */
export async function planRepair(given: {
  readonly profile: string
  readonly state: ProfileState
  readonly states: readonly EntryState[]
  readonly findUpdate: (name: string) => Promise<(FittingVersion & FoundUpdate) | null>
}): Promise<RepairPlan> {
  const { profile, state, states, findUpdate } = given
  const { dependencies, layers } = state.manifest
  const broken = states.filter(({ state }) => isBroken(state))

  const to = (action: RepairAction, version: string | null = null, integrity: string | null = null) => ({
    action,
    version,
    integrity,
  })
  async function stepFor({ name, state: isDoing }: EntryState): Promise<ReturnType<typeof to> | LeftUpdate | null> {
    const { kind, why } = isDoing
    if (kind === 'layer-missing') return to('enable')
    if (kind === 'package-missing') {
      if (Object.hasOwn(dependencies, name)) return to('install')
      return layers.includes(name) ? to('take-out') : null
    }
    // The user may have added a dependency on a package of the harness for a reason of their own.
    if (kind === 'pins-harness') return why[0]?.startsWith('dependencies:') ? null : to('unpin')
    if (kind !== 'refused' && kind !== 'does-not-start' && kind !== 'shadows-harness') return null
    const source = dependencies[name]
    if (source === undefined || parseDependency(name, source)?.kind !== 'npm') return null
    const found = await findUpdate(name)
    if (found === null || (kind === 'shadows-harness' && found.shadows.length > 0)) return null
    const { version, integrity, why: left } = found
    return left === null ? to('update', version, integrity) : { version, why: left }
  }

  const planned = await Promise.all(
    broken.map(async (entry) => {
      const step = await stepFor(entry)
      if (step === null || 'why' in step) return { left: { ...entry, update: step } }
      return { step: { ...entry, ...step } }
    }),
  )
  const steps = planned.flatMap(({ step }) => step ?? [])
  return {
    profile,
    steps,
    left: planned.flatMap(({ left }) => left ?? []),
    digest: digestOf(steps),
  }
}

const digestOf = (steps: readonly RepairStep[]): string =>
  createHash('sha256')
    .update(JSON.stringify(steps.map((step) => [step.action, step.name, step.version, step.integrity, step.state.why])))
    .digest('hex')
    .slice(0, 16)

/**
 * Repairs a profile as a whole: makes the reviewed steps, and makes the harness start from the profile again. Tries all of
 * it in a copy first. Removes layers that are listed twice, and those whose package is not installed, according to the
 * harness and to the profile's node_modules. If the harness still does not start, or its web page does not load, disables
 * the smallest set of plugins without which copies of the profile do; they stay installed. Recovery of earlier jobs runs before this, as before every job.
 *
 * Then moves the files of the store aside that cannot be read, unless it was cancelled: also when the harness cannot be
 * repaired, because they have nothing to do with that. A kill or a rollback leaves them for the next repair.
 */
export async function repairProfile(context: JobContext<ProfileRequest<'repair'>>): Promise<Outcome> {
  const outcome = await repairPlugins(context).catch((error) => outcomeOfError(error, context.onFault))
  if (outcome.kind === 'cancelled') return outcome
  try {
    const quarantined = await setUnreadableFilesAside(context.settings, context.directory)
    if (quarantined.length === 0) return outcome
    const kind = outcome.kind === 'nothing-to-do' ? 'repaired' : outcome.kind
    return { ...outcome, kind, quarantined: [...outcome.quarantined, ...quarantined] }
  } catch (error) {
    // What was repaired stays so, and the doctor names the rest.
    return outcome.kind === 'nothing-to-do' ? outcomeOfError(error, context.onFault) : outcome
  }
}

async function repairPlugins(context: JobContext<ProfileRequest<'repair'>>): Promise<Outcome> {
  const { settings, request } = context
  if (!(await programExists(settings.command[0] ?? '', settings.env)))
    return emptyOutcome('program-missing', ['harness'])
  if (!(await isHarness(context))) return emptyOutcome('program-missing', ['harness'])
  const { repairs } = request
  const isCommandTried = repairs.some(usesPackageManager)
  context.onStages(JOB_STAGES.filter((stage) => stage !== 'trying' || isCommandTried))

  const tx = await Transaction.begin(context, { specs: [] })
  try {
    const tried = await tryRepair(context, repairs, tx.before)
    if (tried.passed) return await applyRepair(context, repairs, tried, tx)
    // Without the registry, the harness may still be made to start.
    const rest = repairs.filter((step) => !usesPackageManager(step))
    if (rest.length === repairs.length || !tried.isOfCommand) return await tx.rollback(tried.outcome)
    const other = await tryRepair(context, rest, tx.before, { onlyIfBroken: true })
    return other.passed && other.off.length > 0
      ? await applyRepair(context, rest, other, tx)
      : await tx.rollback(tried.outcome)
  } catch (error) {
    return tx.rollback(error)
  }
}

interface PassedTry {
  readonly passed: true
  /** Layers to take out. */
  readonly off: readonly string[]
  /** Packages in the copy's lockfile. */
  readonly packages: ReadonlyMap<string, string> | null
  /** Layers of the copy before any was taken out. */
  readonly layers: readonly string[]
}
type Try = PassedTry | { readonly passed: false; readonly outcome: Outcome; readonly isOfCommand: boolean }

/** Makes the steps in a copy of the profile, and finds the layers without which the harness starts from it. */
async function tryRepair(
  context: JobContext,
  steps: readonly RepairStep[],
  before: ProfileState,
  { onlyIfBroken = false } = {},
): Promise<Try> {
  const { request, signal, onStage } = context
  const fail = (outcome: Outcome, isOfCommand = false): Try => ({ passed: false, outcome, isOfCommand })
  // The package manager fills a copy from its store.
  const modules = !steps.some(usesPackageManager)
  const copy = await TrialHome.copy(context, { profile: request.profile, modules })
  try {
    if (!modules) onStage('trying')
    const { home, directory } = copy
    const failure = await makeSteps(context, steps, { home, directory, before })
    if (signal.aborted) return fail(emptyOutcome(abortKind(signal)))
    if (failure !== null) return fail(failure, true)
    // Unread, they would all be taken out.
    const { layers } = manifestOf(await readFile(join(directory, 'package.json'), 'utf8'))
    const packages = await readLockfilePackages(directory)

    onStage('starting')
    const pageMs = LONG_PAGE_MS
    if (onlyIfBroken && isSound(await copy.start({ pageMs }))) return fail(emptyOutcome('nothing-to-do'))
    const unresolved = await copy.findUnresolved()
    const off = [...unresolved]
    const plugins = layers.filter((name) => !name.startsWith('@deepseek-ai/') && !unresolved.includes(name))
    let boot = await copy.start({ off: await withoutLayers(directory, off), pageMs })
    // First what stops the harness, then what breaks its page.
    for (const fault of ['start', 'page'] as const) {
      if (signal.aborted) return fail(emptyOutcome(abortKind(signal)))
      if (!copy.isWeb || (fault === 'start' ? boot.up : isSound(boot))) continue
      const suspects = plugins.filter((name) => !off.includes(name))
      const culprits = await findCulpritsIn(copy, { suspects, off, boot })
      if (signal.aborted) return fail(emptyOutcome(abortKind(signal)))
      if (culprits === null) return fail(emptyOutcome('profile-broken', reasonsOf(boot)))
      context.output.write('out', `Switched off: ${culprits.join(', ')}. ${reasonsOf(boot).join(' ')}\n`)
      off.push(...culprits)
      if (fault === 'start') boot = await copy.start({ off: await withoutLayers(directory, off), pageMs })
    }
    return { passed: true, off, packages, layers }
  } finally {
    await copy.dispose()
  }
}

/**
 * Repairs the profile itself as it was tried. A harness that runs from it needs no `ActivationWatch`: it follows layers by
 * itself, also back, and loads no other version without being told. It gets the rest at its next start, which was tried.
 */
async function applyRepair(
  context: JobContext,
  steps: readonly RepairStep[],
  { off, packages, layers }: PassedTry,
  tx: Transaction,
): Promise<Outcome> {
  const { before } = tx
  const { settings, directory, harnessVersion, onStage } = context
  const wanted = layers.filter((name) => !off.includes(name))
  if (steps.length === 0 && wanted.join() === before.manifest.layers.join())
    return tx.rollback(emptyOutcome('nothing-to-do'))
  const names = steps.filter(({ action }) => action !== 'unpin').map(({ name }) => name)
  await tx.snapshot([...new Set([...off, ...names])].map((name) => ({ kind: 'npm', name })))
  onStage('installing')
  const failure = await makeSteps(context, steps, { home: settings.home, directory, before })
  if (failure !== null) return tx.rollback(failure)
  await changeLayers(directory, () => wanted)
  onStage('checking')

  const after = await readProfileState(directory)
  if (after === null || !isAsTried(before, after, wanted, steps)) return tx.rollback(emptyOutcome('profile-changed'))
  const isOfLayers = !steps.some(usesPackageManager)
  const differences = isOfLayers ? [] : packageDifferences(packages, await readLockfilePackages(directory))
  if (differences.length > 0) return tx.rollback(emptyOutcome('source-changed', differences))
  const activation = isOfLayers && appliesChanges(await harnessVersion()) ? 'restart-unless-applied' : 'restart'
  return tx.commit({ ...emptyOutcome('repaired', off), parts: partsOf(steps), activation }, after)
}

/** Returns true if the layers are those that the copy started with, and nothing else has changed meanwhile. */
function isAsTried(
  before: ProfileState,
  after: ProfileState,
  wanted: readonly string[],
  steps: readonly RepairStep[],
): boolean {
  if (after.manifest.layers.join() !== wanted.join()) return false
  return steps.some(usesPackageManager) || changedFiles(before, after).every((file) => file === 'package.json')
}

/** Returns true if a harness came up and its page is not known to be broken. */
const isSound = (boot: Boot): boolean => boot.up && boot.page.loads !== 'no'

const reasonsOf = (boot: Boot): readonly string[] => (boot.up ? [boot.page.text] : boot.why)

/** Kind of the outcome of each step. */
const KINDS: Readonly<Record<RepairAction, Outcome['kind']>> = {
  enable: 'enabled',
  install: 'registered',
  update: 'updated',
  unpin: 'repaired',
  'take-out': 'disabled',
}

/** Returns the outcomes of steps, as parts of the outcome of a job. */
const partsOf = (steps: readonly RepairStep[]): Outcome['parts'] =>
  steps.map(({ name, action, version }) => ({ listing: name, kind: KINDS[action], subjects: version ? [version] : [] }))

/** Returns the names of the entries with a step of this kind. */
const namesOf = (steps: readonly RepairStep[], action: RepairAction): string[] =>
  steps.filter((step) => step.action === action).map(({ name }) => name)

/**
 * Makes the steps of a repair in a profile or its copy. The layers are set last, because command lines before 0.1.6 add
 * one for every installed package.
 *
 * @param place.before the profile before the repair
 * @returns null when all steps were made; otherwise the outcome of the command that failed
 */
async function makeSteps(
  context: JobContext,
  steps: readonly RepairStep[],
  place: { readonly home: string; readonly directory: string; readonly before: ProfileState },
): Promise<Outcome | null> {
  const { home, directory, before } = place
  const enabled = namesOf(steps, 'enable').filter((name) => !before.manifest.layers.includes(name))
  const takenOut = namesOf(steps, 'take-out')
  // A layer that is listed twice stays in its first place.
  const layers = [...new Set([...before.manifest.layers.filter((name) => !takenOut.includes(name)), ...enabled])]
  await removePins(directory, namesOf(steps, 'unpin'))

  const updated = steps.filter(({ action }) => action === 'update')
  const installed = namesOf(steps, 'install')
  const specs = updated.map(({ name, version }) => `${name}@${version}`)
  const runs = [
    // pnpm keeps the lockfile as it is in a CI environment, unless told not to.
    ...(steps.some(usesPackageManager) ? [{ verb: ['install', '--no-frozen-lockfile'], name: installed[0] }] : []),
    ...(specs.length > 0 ? [{ verb: ['add', ...specs], name: updated[0]?.name }] : []),
  ]
  if (installed.length > 0) await forgetInstall(directory)
  for (const { verb, name = '' } of runs) {
    const { end, output } = await runPackageManager(context, { home, directory }, verb)
    if (end.kind === 'exited' && end.code === 0) continue
    if (end.kind === 'not-found' || end.kind === 'not-started') return emptyOutcome('program-missing', ['pnpm'])
    const after = await readProfileState(directory, context.directory)
    const nothing = { ...before, manifest: { layers: [], dependencies: {} } }
    const spec = { kind: 'npm', name } as const
    const outcome = readOutcome({ action: 'install', spec, before: nothing, after, end, output })
    return outcome.kind === 'registered' || outcome.kind === 'not-a-layer' ? emptyOutcome('failed') : outcome
  }
  const after = await readProfileState(directory, context.directory)
  const missing = [...installed, ...updated.map(({ name }) => name)].filter((name) => !after?.versions.get(name))
  if (missing.length > 0) return emptyOutcome('not-found', missing)
  const lockfile = await readLockfilePackages(directory)
  for (const { name, version: agreedVersion, integrity: agreedIntegrity } of updated) {
    const made = { before, after, lockfile, agreedVersion, agreedIntegrity }
    const other = otherVersion({ action: 'update', spec: { kind: 'npm', name }, ...made })
    if (other !== null) return { ...emptyOutcome(other.kind), ...other }
  }
  await changeLayers(directory, () => layers)
  return null
}
