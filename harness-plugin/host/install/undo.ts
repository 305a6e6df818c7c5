import type { Outcome } from '../../protocol/index.ts'
import type { JobContext } from '../job/context.ts'
import { deleteJobFile } from '../job/job-file.ts'
import { emptyOutcome, notPreparedOutcome, profileOutcome } from '../job/outcome.ts'
import { readProfileState } from '../profile/state.ts'
import { quarantine, Unreadable, writeJournal } from '../snapshot/journal.ts'
import { changedSince, commit, LAST_CHANGE_DIRECTORY, lastSnapshot, readLastChange } from '../snapshot/last-change.ts'
import { restore, rollback } from '../snapshot/rollback.ts'
import { beginJournal, takeSnapshot } from '../snapshot/snapshot.ts'

/**
 * Takes the last change of a profile back, as a transaction of its own: the profile is restored from the snapshot that was
 * kept, and that of this job is kept in its place, so that an undo can be undone. Nothing is started to try it: the
 * profile is one that was there before.
 *
 * @throws when its journal could not be begun; then nothing in it was changed
 */
export async function undoLastChange(context: JobContext): Promise<Outcome> {
  const { directory, job, request, signal, onStage } = context
  const before = await readProfileState(directory)
  if (before === null) return emptyOutcome('profile-missing')
  const last = await readLastChange(directory)
  if (last === null) return emptyOutcome('nothing-to-do')
  if (last.job.id !== request.undoes) return emptyOutcome('profile-changed')
  const changed = changedSince(last, before)
  if (changed.length > 0) return emptyOutcome('profile-changed', changed)
  const { specs, snapshot } = last

  let journal = await beginJournal(directory, { specs, job })
  const quarantined: string[] = []
  try {
    onStage(journal.stage)
    await deleteJobFile(directory, job.id)
    journal = await takeSnapshot(directory, journal)
    journal = { ...journal, stage: 'installing' }
    await writeJournal(directory, journal)
    onStage('installing')
    if (signal.aborted) return { ...emptyOutcome('cancelled'), ...(await rollback(directory)) }

    // A copy of the kept one: it is needed again if this is interrupted.
    const source = { specs, snapshot, directory: lastSnapshot(directory), isKept: true }
    await restore(directory, source, (name) => quarantined.push(name))
    onStage('checking')
  } catch (error) {
    const rolledBack = await rollback(directory)
    if (!(error instanceof Unreadable)) return { ...notPreparedOutcome(error), ...rolledBack }
    const name = await quarantine(directory, LAST_CHANGE_DIRECTORY)
    return { ...emptyOutcome('nothing-to-do'), ...rolledBack, quarantined: [...rolledBack.quarantined, name] }
  }

  const after = await readProfileState(directory)
  if (signal.aborted || after === null) {
    const kind = signal.aborted ? 'cancelled' : 'profile-missing'
    return { ...emptyOutcome(kind), ...(await rollback(directory)) }
  }
  await commit(directory, journal, after)
  const profile = profileOutcome({ specs, before, after })
  return {
    ...emptyOutcome('reverted'),
    quarantined,
    profile,
    activation: profile.changed.length > 0 ? 'restart' : 'unchanged',
  }
}
