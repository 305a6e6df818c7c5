import { specText } from '@plugmark/shared/install'
import { isDesktop, type RunningJob } from '../job/context.ts'
import { runHarness } from '../job/harness-cli.ts'
import { isSwitch, orderArguments } from '../job/request.ts'
import type { ProcessEnd } from '../process/run-process.ts'
import { lockDifferences, lockedPackages } from '../profile/lockfile.ts'
import { orderBundles } from '../profile/manifest.ts'
import type { ProfileState } from '../profile/state.ts'
import { callManager } from './plugin-manager.ts'

export interface Applied {
  readonly end: ProcessEnd
  readonly output: readonly string[]
  /** Why the plugin manager refused, in its own code; null when it did not, or was not asked. */
  readonly refusal: string | null
  /** Packages of which the profile got something else than the trial's copy. */
  readonly differences: readonly string[]
}

interface Given {
  readonly before: ProfileState
  /** What the trial's copy got; null when there was no trial. */
  readonly tried: { readonly packages: ReadonlyMap<string, string> | null } | null
}

/**
 * Carries an order out in the profile itself: by the plugin manager of the harness that runs from it, where there is
 * one, so that nothing new runs in that harness before it was compared with the trial; else by the command line.
 */
export async function applyToProfile(running: RunningJob, given: Given): Promise<Applied> {
  return (await applyByManager(running, given)) ?? applyByCommand(running, given)
}

async function applyByCommand(running: RunningJob, given: Given): Promise<Applied> {
  // The plugin manager that was to do it is gone.
  if (isSwitch(running.order))
    return { end: { how: 'not-started', code: null }, output: [], refusal: null, differences: [] }
  const ran = await runHarness(running, running.settings.home, orderArguments(running.order))
  return compare(running, given, { ...ran, refusal: null })
}

/**
 * @returns null for what the command line does better: scripts that were approved must not see the harness's own
 *   environment, and the manager can be given no proxy
 */
async function applyByManager(running: RunningJob, given: Given): Promise<Applied | null> {
  const { order, settings, directory, job } = running
  const { action, package: name } = order
  const { bundles } = given.before.manifest
  const manager = running.harness?.pluginManager() ?? null
  if (manager === null) return null
  const hasCommand = !isDesktop(settings, order.plan.profile)
  const call = async (work: () => Promise<unknown>) => ({
    ...(await callManager(running, manager, work)),
    differences: [],
  })
  const enable = (name: string) => call(() => manager.setBundleEnabled(name, true))
  const disable = (name: string) => call(() => manager.setBundleEnabled(name, false))
  const remove = (name: string) => call(() => manager.removeBundle(name))
  const add = async (): Promise<Applied> => {
    const spec = specText(order.plan.spec)
    const added = await call(() => manager.installBundle(spec, { enabled: false, requestId: job.id }))
    const compared = await compare(running, given, added)
    return added.bundle !== null && isSame(compared) ? enable(added.bundle) : compared
  }
  // It takes no other version of what is there, but loads anew what it disabled and enables.
  const update = async (name: string): Promise<Applied> => {
    const gone = await (hasCommand ? disable(name) : remove(name))
    if (!isSame(gone)) return gone
    const updated = await (hasCommand ? applyByCommand(running, given) : add())
    if (!isSame(updated)) return updated
    const enabled = hasCommand ? await enable(name) : updated
    // Enabling adds at the end. A profile that cannot be read or written here is told of by its state.
    await orderBundles(directory, bundles).catch(() => {})
    return { ...enabled, output: updated.output }
  }

  if (name === null) return hasCommand && (order.approval || settings.ownNetwork) ? null : add()
  if (action === 'remove') return remove(name)
  if (action === 'enable') return enable(name)
  if (action === 'disable') return disable(name)
  return (action === 'update' && bundles.includes(name)) || !hasCommand ? update(name) : null
}

/** It came through, and brought what was tried. */
const isSame = ({ end, differences }: Applied): boolean => end.code === 0 && differences.length === 0

async function compare<T extends Omit<Applied, 'differences'>>(
  { directory }: RunningJob,
  { tried }: Given,
  applied: T,
): Promise<T & Applied> {
  const isCompared = tried !== null && applied.end.how === 'exited' && applied.end.code === 0
  const differences = isCompared ? lockDifferences(tried.packages, await lockedPackages(directory)) : []
  return { ...applied, differences }
}
