import { relative } from 'node:path'
import type { Activation, Outcome, PackageChange } from '../../protocol/index.ts'
import { type RevertedTo, STAGES_WITHOUT_TRIAL } from '../../protocol/jobs.ts'
import { versionText } from '../../protocol/package-id.ts'
import type { JobContext, ProfileRequest } from '../harness/job.ts'
import { emptyOutcome, profileOutcome } from '../harness/outcome.ts'
import { UnreadableState } from '../json-file.ts'
import { loadHolds } from '../profile/holds.ts'
import { type ProfileState, readProfileState } from '../profile/state.ts'
import { undoFolder } from '../profile/state-folder.ts'
import { packageChanges } from '../transaction/history.ts'
import { changedSince, readLastChange } from '../transaction/journal.ts'
import { quarantine, restore } from '../transaction/rollback.ts'
import { Transaction } from '../transaction/transaction.ts'
import { ActivationWatch } from './apply.ts'

/**
 * Undoes the last change of a profile: restores the profile from the kept snapshot, and keeps the snapshot of this job
 * instead, so that an undo can be undone. Needs no trial, because the profile was in that state before.
 *
 * @throws when the job cannot begin; then nothing has changed
 */
export async function undoLastChange(context: JobContext<ProfileRequest<'undo' | 'redo'>>): Promise<Outcome> {
  const { directory, request, onStages, onStage } = context
  const last = await readLastChange(directory)
  if (last === null) return emptyOutcome('nothing-to-do')
  const { specs, snapshot } = last
  onStages(STAGES_WITHOUT_TRIAL)
  const running = new ActivationWatch(context)

  const tx = await Transaction.begin(context, { specs, files: snapshot.files, needsUndo: true })
  const { before } = tx
  const rollBack = async (failed: unknown) => running.afterRollback(await tx.rollback(failed))
  let outcome: Outcome
  let after: ProfileState | null
  try {
    if (last.job.id !== request.undoes) return await rollBack(emptyOutcome('profile-changed'))
    const changed = await changedSince(directory, last)
    if (changed.length > 0) return await rollBack(emptyOutcome('profile-changed', changed))

    await tx.snapshot()
    onStage('installing')
    const wanted = await readProfileState(undoFolder(directory))
    const gone = (wanted ? packageChanges(before, wanted) : []).filter(
      (one) => one.before?.enabled && !one.after?.enabled,
    )
    await running.unload(gone.map(({ name }) => name))
    const quarantined: string[] = []
    try {
      // Restore by copying: the kept snapshot is needed again if this is interrupted.
      const source = { specs, snapshot, folder: undoFolder(directory), isKept: true }
      await restore(directory, source, (name) => quarantined.push(name))
    } catch (error) {
      if (!(error instanceof UnreadableState)) throw error
      const name = await quarantine(directory, undoFolder(directory))
      const damaged = relative(directory, undoFolder(directory))
      return await rollBack({ ...emptyOutcome('profile-changed', [damaged]), quarantined: [name] })
    }

    onStage('checking')
    after = await readProfileState(directory)
    if (after === null) return await rollBack(emptyOutcome('profile-missing'))
    const { dependencies } = after.manifest
    const holds = Object.entries(snapshot.holds)
    const now = holds.length > 0 ? await loadHolds(directory) : {}
    // The user held it since.
    const isLater = (name: string) => Object.hasOwn(dependencies, name) && (now[name]?.since ?? 0) > last.endedAt
    await tx.changeHolds(Object.fromEntries(holds.filter(([name]) => !isLater(name))))
    const changes = packageChanges(before, after)
    const profile = profileOutcome({ specs, before, after })
    const activation: Activation = profile.changed.length > 0 ? 'restart' : 'unchanged'
    const kind = request.action === 'redo' ? 'redone' : 'reverted'
    const subjects = changes.flatMap((change) => [change.name, nowIs(change)])
    outcome = await tx.commit({ ...emptyOutcome(kind, subjects), quarantined, profile, activation }, after)
  } catch (error) {
    return rollBack(error)
  }
  return running.afterSwitch(outcome, before, after)
}

/** Returns what an undo made of a plugin: a version, or a `RevertedTo`. */
function nowIs({ before, after }: PackageChange): string {
  if (after === null) return 'removed' satisfies RevertedTo
  if (before === null) return 'installed' satisfies RevertedTo
  const [was, is] = [before, after].map(versionText)
  return !is || was === is ? ((after.enabled ? 'enabled' : 'disabled') satisfies RevertedTo) : is
}
