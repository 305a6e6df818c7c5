import type { Outcome } from '../../protocol/index.ts'
import type { JobContext } from '../job/context.ts'
import { isHarness } from '../job/harness-cli.ts'
import { emptyOutcome } from '../job/outcome.ts'
import { programExists } from '../process/which.ts'
import { changeBundles } from '../profile/manifest.ts'
import { changedFiles, readProfileState } from '../profile/state.ts'
import { runTransaction } from '../transaction/transaction.ts'
import { startCopy } from './start-copy.ts'

/**
 * Makes the harness start from a profile again: layers are taken out whose package is not installed, by the harness's own
 * word and by the profile's node_modules, if the harness starts from a copy without them. To install such a package again
 * would need the network, run its scripts, and could change others. What earlier jobs left was recovered before this runs,
 * as before every job.
 *
 * @throws when its journal cannot be begun; then nothing was changed
 */
export async function repairProfile(context: JobContext): Promise<Outcome> {
  const { settings, directory, request, signal, onStage } = context
  if (!(await programExists(settings.command[0] ?? '', settings.env))) return emptyOutcome('harness-missing')
  if (!(await isHarness(context))) return emptyOutcome('not-harness')

  return runTransaction(context, { specs: [] }, async ({ before, signal: copying, snapshot }) => {
    const { unresolved, boot, isWeb } = await startCopy(context, {
      profile: request.profile,
      takesOut: true,
      copying,
      onStart: () => onStage('starting'),
    })
    if (signal.aborted) return { outcome: emptyOutcome('cancelled') }
    if (!boot.up && isWeb) return { outcome: emptyOutcome('profile-broken', boot.why) }
    if (unresolved.length === 0) return { outcome: emptyOutcome('nothing-to-do') }

    await snapshot(unresolved.map((name) => ({ kind: 'npm', name })))
    onStage('installing')
    await changeBundles(directory, (bundles) => bundles.filter((name) => !unresolved.includes(name)))
    onStage('checking')

    // The layers are those that the copy started with, and nothing else changed meanwhile.
    const after = await readProfileState(directory)
    const isAsTried =
      after?.manifest.bundles.join() === before.manifest.bundles.filter((name) => !unresolved.includes(name)).join() &&
      changedFiles(before, after).join() === 'package.json'
    if (after === null || !isAsTried) return { outcome: emptyOutcome('profile-changed') }
    return { outcome: { ...emptyOutcome('repaired', unresolved), activation: 'restart' }, keep: after }
  })
}
