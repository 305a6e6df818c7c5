import type { Activation, Outcome, OutcomeKind, PackageChange } from '../../protocol/index.ts'
import { type RevertedTo, STAGES_WITHOUT_TRIAL } from '../../protocol/jobs.ts'
import { versionText } from '../../protocol/package-id.ts'
import type { JobContext, ProfileRequest } from '../harness/job.ts'
import { emptyOutcome, profileOutcome } from '../harness/outcome.ts'
import { UnreadableState } from '../json-file.ts'
import { loadHolds } from '../profile/holds.ts'
import { readProfileState } from '../profile/state.ts'
import { undoFolder } from '../profile/state-folder.ts'
import { packageChanges } from '../transaction/history.ts'
import { changedSince, readLastChange } from '../transaction/journal.ts'
import { quarantine, restore } from '../transaction/rollback.ts'
import { Transaction } from '../transaction/transaction.ts'
import { reloadInHarness, switchInHarness, watchActivation } from './apply.ts'

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
  const watched = watchActivation(context)

  const tx = await Transaction.begin(context, { specs, files: snapshot.files, needsUndo: true })
  try {
    const { before } = tx
    if (last.job.id !== request.undoes) return await tx.rollback(emptyOutcome('profile-changed'))
    const changed = changedSince(last, before)
    if (changed.length > 0) return await tx.rollback(emptyOutcome('profile-changed', changed))

    await tx.snapshot()
    onStage('installing')
    // Plugins that go are unloaded while their files are there, so that open pages forget it too.
    const wanted = await readProfileState(undoFolder(directory))
    for (const { name, before: is, after } of wanted ? packageChanges(before, wanted) : [])
      if (is?.enabled && !after?.enabled) await switchInHarness(context, name, false)
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
    const holds = Object.entries(snapshot.holds)
    const now = holds.length > 0 ? await loadHolds(directory) : {}
    // The user held it since.
    const isLater = (name: string) =>
      Object.hasOwn(after.manifest.dependencies, name) && (now[name]?.since ?? 0) > last.endedAt
    await tx.changeHolds(Object.fromEntries(holds.filter(([name]) => !isLater(name))))
    const changes = packageChanges(before, after)
    const replaced = changes.filter(({ before, after }) => before?.enabled && after?.enabled)
    await reloadInHarness(
      context,
      replaced.map(({ name }) => name),
      after,
    )
    const profile = profileOutcome({ specs, before, after })
    const activation: Activation = profile.changed.length > 0 ? 'restart' : 'unchanged'
    const kind = request.action === 'redo' ? 'redone' : 'reverted'
    const subjects = changes.flatMap((change) => [change.name, nowIs(change)])
    const outcome = await tx.commit({ ...emptyOutcome(kind, subjects), quarantined, profile, activation }, after)
    if (changes.length === 0) return outcome
    const ends = changes.map((change): Outcome => ({ ...emptyOutcome(endOf(change)), activation }))
    const names = changes.map(({ name }) => name)
    return { ...outcome, activation: await watched.afterCommit(ends, names) }
  } catch (error) {
    return tx.rollback(error)
  }
}

/** Returns what an undo made of a plugin: a version, or a `RevertedTo`. */
function nowIs({ before, after }: PackageChange): string {
  if (after === null) return 'removed' satisfies RevertedTo
  if (before === null) return 'installed' satisfies RevertedTo
  const [was, is] = [before, after].map(versionText)
  return !is || was === is ? ((after.enabled ? 'enabled' : 'disabled') satisfies RevertedTo) : is
}

/** Returns the end that a job has which makes the same change. */
export function endOf({ before, after }: PackageChange): OutcomeKind {
  if (after === null) return 'removed'
  if (!after.enabled) return 'disabled'
  return before === null ? 'registered' : before.enabled ? 'updated' : 'enabled'
}
