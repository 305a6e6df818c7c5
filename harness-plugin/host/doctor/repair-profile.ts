import type { Outcome, RepairStep } from '../../protocol/index.ts'
import { isHarness } from '../harness/command.ts'
import type { JobContext } from '../harness/job.ts'
import { usesPackageManager } from '../harness/job.ts'
import { emptyOutcome } from '../harness/outcome.ts'
import { abortKind, programExists } from '../process/run.ts'
import { lockDifferences, lockedPackages } from '../profile/lockfile.ts'
import { changeBundles, type Manifest, readManifest } from '../profile/manifest.ts'
import { changedFiles, type ProfileState, readProfileState } from '../profile/state.ts'
import { Transaction } from '../transaction/transaction.ts'
import { TrialHome, withoutLayers } from '../trial/home.ts'
import { findCulprits } from './find-culprits.ts'
import { makeSteps, partsOf } from './repair-steps.ts'

/**
 * Repairs a profile as a whole: makes the reviewed steps, and makes the harness start from the profile again. Tries all of
 * it in a copy first. Removes layers whose package is not installed, according to the harness and to the profile's
 * node_modules. If the harness still does not start, disables the smallest set of plugins without which copies of the
 * profile start; they stay installed. Recovery of earlier jobs runs before this, as before every job.
 *
 * @throws when its journal cannot be begun; then nothing was changed
 */
export async function repairProfile(context: JobContext): Promise<Outcome> {
  const { settings, request } = context
  if (!(await programExists(settings.command[0] ?? '', settings.env))) return emptyOutcome('harness-missing')
  if (!(await isHarness(context))) return emptyOutcome('not-harness')
  const { repairs = [] } = request

  const tx = await Transaction.begin(context, { specs: [] })
  try {
    const tried = await tryRepair(context, repairs, tx)
    if (tried.passed) return await applyRepair(context, repairs, tried, tx)
    // Without the registry, the harness may still be made to start.
    const rest = repairs.filter((step) => !usesPackageManager(step))
    if (rest.length === repairs.length || !tried.isOfCommand) return await tx.rollback(tried.outcome)
    const other = await tryRepair(context, rest, tx, { onlyIfBroken: true })
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
  readonly bundles: readonly string[]
}
type Try = PassedTry | { readonly passed: false; readonly outcome: Outcome; readonly isOfCommand: boolean }

/** Makes the steps in a copy of the profile, and finds the layers without which the harness starts from it. */
async function tryRepair(
  context: JobContext,
  steps: readonly RepairStep[],
  { before, signal: copying }: Pick<Transaction, 'before' | 'signal'>,
  { onlyIfBroken = false } = {},
): Promise<Try> {
  const { request, signal, onStage } = context
  const fail = (outcome: Outcome, isOfCommand = false): Try => ({ passed: false, outcome, isOfCommand })
  // The package manager fills a copy from its store.
  const modules = !steps.some(usesPackageManager)
  const copy = await TrialHome.copy(context, { profile: request.profile, modules, copying })
  try {
    if (!modules) onStage('trying')
    const { home, directory } = copy
    const failure = await makeSteps(context, steps, { home, directory, before })
    if (signal.aborted) return fail(emptyOutcome(abortKind(signal)))
    if (failure !== null) return fail(failure, true)
    const { bundles = [] } = (await readManifest(directory)) ?? {}
    const packages = await lockedPackages(directory)

    onStage('starting')
    if (onlyIfBroken && (await copy.start()).up) return fail(emptyOutcome('nothing-to-do'))
    const unresolved = await copy.findUnresolved()
    const boot = await copy.start({ off: await withoutLayers(directory, unresolved) })
    if (signal.aborted) return fail(emptyOutcome(abortKind(signal)))
    const culprits = boot.up || !copy.isWeb ? [] : await findCulpritsIn({ bundles }, unresolved, copy)
    if (signal.aborted) return fail(emptyOutcome(abortKind(signal)))
    if (culprits === null) return fail(emptyOutcome('profile-broken', boot.up ? [] : boot.why))
    if (culprits.length > 0) {
      const why = boot.up ? '' : boot.why.join(' ')
      const text = `Switched off, as the harness does not start with it: ${culprits.join(', ')}. ${why}\n`
      context.output.write('out', text)
    }
    return { passed: true, off: [...unresolved, ...culprits], packages, bundles }
  } finally {
    await copy.dispose()
  }
}

/** Repairs the profile itself as it was tried. */
async function applyRepair(
  context: JobContext,
  steps: readonly RepairStep[],
  { off, packages, bundles }: PassedTry,
  tx: Transaction,
): Promise<Outcome> {
  const { before } = tx
  const { settings, directory, onStage } = context
  if (off.length === 0 && steps.length === 0) return tx.rollback(emptyOutcome('nothing-to-do'))
  const names = steps.filter(({ action }) => action !== 'unpin').map(({ name }) => name)
  await tx.snapshot([...new Set([...off, ...names])].map((name) => ({ kind: 'npm', name })))
  onStage('installing')
  const failure = await makeSteps(context, steps, { home: settings.home, directory, before })
  if (failure !== null) return tx.rollback(failure)
  const wanted = bundles.filter((name) => !off.includes(name))
  await changeBundles(directory, () => wanted)
  onStage('checking')

  const after = await readProfileState(directory)
  if (after === null || !isAsTried(before, after, wanted, steps)) return tx.rollback(emptyOutcome('profile-changed'))
  const differences = steps.some(usesPackageManager) ? lockDifferences(packages, await lockedPackages(directory)) : []
  if (differences.length > 0) return tx.rollback(emptyOutcome('trial-differs', differences))
  return tx.commit({ ...emptyOutcome('repaired', off), parts: partsOf(steps), activation: 'restart' }, after)
}

/** Returns true if the layers are those that the copy started with, and nothing else has changed meanwhile. */
function isAsTried(
  before: ProfileState,
  after: ProfileState,
  wanted: readonly string[],
  steps: readonly RepairStep[],
): boolean {
  if (after.manifest.bundles.join() !== wanted.join()) return false
  return steps.some(usesPackageManager) || changedFiles(before, after).every((file) => file === 'package.json')
}

/**
 * Finds the plugins that stop the harness from starting, by starting it from a copy of the profile.
 *
 * @returns null when it does not start even without plugins
 */
async function findCulpritsIn(
  { bundles }: Pick<Manifest, 'bundles'>,
  unresolved: readonly string[],
  copy: TrialHome,
): Promise<string[] | null> {
  const plugins = bundles.filter((name) => !name.startsWith('@deepseek-ai/') && !unresolved.includes(name))
  const starts = async (on: readonly string[]) => {
    const off = plugins.filter((name) => !on.includes(name))
    return (await copy.start({ off: await withoutLayers(copy.directory, [...unresolved, ...off]) })).up
  }
  if (plugins.length === 0 || !(await starts([]))) return null
  return findCulprits(plugins, starts)
}
