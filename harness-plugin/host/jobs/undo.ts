import type { Outcome } from '../../protocol/index.ts'
import { STAGES_WITHOUT_TRIAL } from '../../protocol/jobs.ts'
import type { JobContext } from '../harness/job.ts'
import { emptyOutcome, profileOutcome } from '../harness/outcome.ts'
import { UnreadableState } from '../json-file.ts'
import { readProfileState } from '../profile/state.ts'
import { undoFolder } from '../profile/state-folder.ts'
import { changedSince, readLastChange } from '../transaction/journal.ts'
import { quarantine, restore } from '../transaction/rollback.ts'
import { Transaction } from '../transaction/transaction.ts'

/**
 * Undoes the last change of a profile: restores the profile from the kept snapshot, and keeps the snapshot of this job
 * instead, so that an undo can be undone. Needs no trial, because the profile was in that state before.
 *
 * @throws when the job cannot begin; then nothing has changed
 */
export async function undoLastChange(context: JobContext): Promise<Outcome> {
  const { directory, request, onStages, onStage } = context
  const last = await readLastChange(directory)
  if (last === null) return emptyOutcome('nothing-to-do')
  const { specs, snapshot } = last
  onStages(STAGES_WITHOUT_TRIAL)

  const tx = await Transaction.begin(context, { specs, needsUndo: true })
  try {
    const { before } = tx
    if (last.job.id !== request.undoes) return await tx.rollback(emptyOutcome('profile-changed'))
    const changed = changedSince(last, before)
    if (changed.length > 0) return await tx.rollback(emptyOutcome('profile-changed', changed))

    await tx.snapshot()
    onStage('installing')
    const quarantined: string[] = []
    try {
      // Restore by copying: the kept snapshot is needed again if this is interrupted.
      const source = { specs, snapshot, folder: undoFolder(directory), isKept: true }
      await restore(directory, source, (name) => quarantined.push(name))
    } catch (error) {
      if (!(error instanceof UnreadableState)) throw error
      const name = await quarantine(directory, undoFolder(directory))
      return await tx.rollback({ ...emptyOutcome('nothing-to-do'), quarantined: [name] })
    }

    onStage('checking')
    const after = await readProfileState(directory)
    if (after === null) return await tx.rollback(emptyOutcome('profile-missing'))
    const profile = profileOutcome({ specs, before, after })
    const activation = profile.changed.length > 0 ? 'restart' : 'unchanged'
    return await tx.commit({ ...emptyOutcome('reverted'), quarantined, profile, activation }, after)
  } catch (error) {
    return tx.rollback(error)
  }
}
