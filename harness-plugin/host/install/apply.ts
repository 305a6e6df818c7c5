import type { Outcome } from '../../protocol/index.ts'
import { isSuccess } from '../../protocol/next-steps.ts'
import { isDesktop } from '../harness/running-harness.ts'
import { type CommandEnd, runChange } from '../job/harness-cli.ts'
import type { ChangeContext, JobContext } from '../job/job-context.ts'
import { readOutcome } from '../job/read-outcome.ts'
import { isToggle, sourceText } from '../job/request.ts'
import { lockDifferences, lockedPackages } from '../profile/lockfile.ts'
import { addBundle, orderBundles, removeBundle } from '../profile/manifest.ts'
import { type ProfileState, readProfileState } from '../profile/state.ts'
import { callPluginManager } from './plugin-manager.ts'

interface Applied {
  readonly end: CommandEnd
  readonly output: readonly string[]
  /** Error code of the plugin manager's refusal; null when it did not refuse or was not used. */
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
export async function applyChanges(
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
  const add = async (): Promise<Applied> => {
    const source = sourceText(change)
    const added = await call(() => manager.installBundle(source, { enabled: false, requestId: job.id }))
    const compared = await compare(context, expected, added)
    return added.bundle !== null && isAsTried(compared) ? enable(added.bundle) : compared
  }
  // The manager does not install another version of an installed package, but disabling and enabling reloads it.
  const update = async (name: string): Promise<Applied> => {
    const gone = await (hasCommand ? disable(name) : remove(name))
    if (!isAsTried(gone)) return gone
    const updated = await (hasCommand ? applyByCommand(context, expected) : add())
    if (!isAsTried(updated)) return updated
    const enabled = hasCommand ? await enable(name) : updated
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
