import type { JobStage, Outcome } from '../../protocol/index.ts'
import type { JobContext } from '../job/context.ts'
import { isHarness } from '../job/harness-cli.ts'
import { deleteJobFile } from '../job/job-file.ts'
import { emptyOutcome, notPreparedOutcome } from '../job/outcome.ts'
import { programExists } from '../process/which.ts'
import { changeBundles } from '../profile/manifest.ts'
import { changedFiles, readProfileState } from '../profile/state.ts'
import { writeJournal } from '../snapshot/journal.ts'
import { commit, dropLastChange, endUnchanged } from '../snapshot/last-change.ts'
import { rollback } from '../snapshot/rollback.ts'
import { beginJournal, takeSnapshot } from '../snapshot/snapshot.ts'
import { startCopy } from './start-copy.ts'

/**
 * Makes the harness start from a profile again, as a transaction: layers are taken out whose package is not installed, by
 * the harness's own word and by the profile's node_modules, if the harness starts from a copy without them. To install such
 * a package again would need the network, run its scripts, and could change others. What earlier jobs left was recovered
 * before this runs, as before every job.
 *
 * @throws when its journal could not be begun; then nothing in it was changed
 */
export async function repairProfile(context: JobContext): Promise<Outcome> {
  const { settings, directory, job, request, signal, deadline, onStage } = context
  const before = await readProfileState(directory)
  if (before === null) return emptyOutcome('profile-missing')
  if (!(await programExists(settings.command[0] ?? '', settings.env))) return emptyOutcome('harness-missing')
  if (!(await isHarness(context))) return emptyOutcome('not-harness')

  let journal = await beginJournal(directory, { specs: [], job })
  const enter = async (stage: JobStage) => {
    journal = { ...journal, stage }
    await writeJournal(directory, journal)
    onStage(stage)
  }
  const end = async (kind: Outcome['kind'], subjects: readonly string[] = []) => {
    await endUnchanged(directory)
    return emptyOutcome(kind, subjects)
  }
  try {
    onStage(journal.stage)
    await deleteJobFile(directory, job.id)
    const { unresolved, boot, isWeb } = await startCopy(context, {
      profile: request.profile,
      takesOut: true,
      onStart: () => enter('starting'),
    })
    if (signal.aborted) return await end('cancelled')
    if (performance.now() >= deadline) return await end('timed-out')
    if (!boot.up && isWeb) return await end('profile-broken', boot.why)
    if (unresolved.length === 0) return await end('nothing-to-do')
    const now = await readProfileState(directory)
    if (now === null || changedFiles(before, now).length > 0) return await end('profile-changed')

    await dropLastChange(directory)
    journal = { ...journal, specs: unresolved.map((name) => ({ kind: 'npm', name })) }
    journal = await takeSnapshot(directory, journal)
    await enter('installing')
    await changeBundles(directory, (bundles) => bundles.filter((name) => !unresolved.includes(name)))
    await enter('checking')

    // The layers are those that the copy started with, and nothing else changed meanwhile.
    const after = await readProfileState(directory)
    const isAsTried =
      after?.manifest.bundles.join() === before.manifest.bundles.filter((name) => !unresolved.includes(name)).join() &&
      changedFiles(before, after).join() === 'package.json'
    if (after === null || !isAsTried) return { ...emptyOutcome('profile-changed'), ...(await rollback(directory)) }
    await commit(directory, journal, after)
    return { ...emptyOutcome('repaired', unresolved), activation: 'restart' }
  } catch (error) {
    return { ...notPreparedOutcome(error), ...(await rollback(directory)) }
  }
}
