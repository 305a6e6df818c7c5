import type { Outcome } from '../../protocol/index.ts'
import type { JobContext } from '../job/context.ts'
import { isHarness } from '../job/harness-cli.ts'
import { emptyOutcome } from '../job/outcome.ts'
import { programExists } from '../process/which.ts'
import { changeBundles, type Manifest } from '../profile/manifest.ts'
import { changedFiles, readProfileState } from '../profile/state.ts'
import { runTransaction } from '../transaction/transaction.ts'
import { findCulprits } from './find-culprits.ts'
import { type CopyStart, startCopy } from './start-copy.ts'

/**
 * Makes the harness start from a profile again. Removes layers whose package is not installed, according to the harness
 * and to the profile's node_modules. If the harness still does not start, disables the smallest set of plugins without
 * which copies of the profile start. The plugins stay installed: installing a package again would need the network, run
 * its scripts, and could change other packages. Recovery of earlier jobs runs before this, as before every job.
 *
 * @throws when its journal cannot be begun; then nothing was changed
 */
export async function repairProfile(context: JobContext): Promise<Outcome> {
  const { settings, directory, request, signal, onStage } = context
  if (!(await programExists(settings.command[0] ?? '', settings.env))) return emptyOutcome('harness-missing')
  if (!(await isHarness(context))) return emptyOutcome('not-harness')

  return runTransaction(context, { specs: [] }, async ({ before, signal: copying, snapshot }) => {
    const start = (off: readonly string[]) =>
      startCopy(context, {
        ...{ profile: request.profile, takesOut: true, copying, off },
        onStart: () => onStage('starting'),
      })
    const { unresolved, boot, isWeb } = await start([])
    if (signal.aborted) return { outcome: emptyOutcome('cancelled') }
    const culprits = boot.up || !isWeb ? [] : await findCulpritsIn(before.manifest, unresolved, start)
    if (signal.aborted) return { outcome: emptyOutcome('cancelled') }
    if (culprits === null) return { outcome: emptyOutcome('profile-broken', boot.up ? [] : boot.why) }
    const off = [...unresolved, ...culprits]
    if (culprits.length > 0) {
      const why = boot.up ? '' : boot.why.join(' ')
      context.output.write(
        'out',
        `Switched off, as the harness does not start with it: ${culprits.join(', ')}. ${why}\n`,
      )
    }
    if (off.length === 0) return { outcome: emptyOutcome('nothing-to-do') }

    await snapshot(off.map((name) => ({ kind: 'npm', name })))
    onStage('installing')
    await changeBundles(directory, (bundles) => bundles.filter((name) => !off.includes(name)))
    onStage('checking')

    // The layers must be those that the copy started with, and nothing else may have changed meanwhile.
    const after = await readProfileState(directory)
    const isAsTried =
      after?.manifest.bundles.join() === before.manifest.bundles.filter((name) => !off.includes(name)).join() &&
      changedFiles(before, after).join() === 'package.json'
    if (after === null || !isAsTried) return { outcome: emptyOutcome('profile-changed') }
    return { outcome: { ...emptyOutcome('repaired', off), activation: 'restart' }, keep: after }
  })
}

/**
 * Finds the plugins that stop the harness from starting, in copies of the profile.
 *
 * @returns null when it does not start even without plugins
 */
async function findCulpritsIn(
  { bundles }: Manifest,
  unresolved: readonly string[],
  start: (off: readonly string[]) => Promise<CopyStart>,
): Promise<string[] | null> {
  const plugins = bundles.filter((name) => !name.startsWith('@deepseek-ai/') && !unresolved.includes(name))
  const starts = async (on: readonly string[]) => (await start(plugins.filter((name) => !on.includes(name)))).boot.up
  if (plugins.length === 0 || !(await starts([]))) return null
  return findCulprits(plugins, starts)
}
