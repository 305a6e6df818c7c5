import type { InstallSpec } from '@plugmark/shared/install'
import type { Outcome, OutcomeKind } from '../../protocol/index.ts'
import type { JobContext } from '../job/context.ts'
import { emptyOutcome, notPreparedOutcome, profileOutcome } from '../job/outcome.ts'
import { changedFiles, type ProfileState, readProfileState } from '../profile/state.ts'
import { commit, endUnchanged } from './commit.ts'
import { ensureFreeSpace } from './free-space.ts'
import { deleteJobFile } from './job-files.ts'
import { beginJournal, dropUndo, type Journal } from './journal.ts'
import { rollback } from './rollback.ts'
import { takeSnapshot } from './snapshot.ts'
import { NewerStateFormat } from './state-file.ts'

/** An open transaction, as the work of a job sees it. */
export interface Transaction {
  /** The profile when the job began. */
  readonly before: ProfileState
  /** Ends copying when the job is cancelled or its time is over. Programs have the job's own signal and deadline. */
  readonly signal: AbortSignal
  /**
   * Takes the snapshot that a rollback restores. From here on the job may change the profile.
   *
   * @param specs the plugins that it changes, where they were not known before
   * @throws when the job must end instead, which its outcome will say
   */
  snapshot(specs?: readonly InstallSpec[]): Promise<void>
}

/** The end of a job's work. */
export interface Conclusion {
  readonly outcome: Outcome
  /** The profile as it is to stay. Without it the profile is restored. */
  readonly keep?: ProfileState
  /** False if nothing changed that an undo could revert. @default true */
  readonly isUndoable?: boolean
}

/** Ends a job with an outcome. */
class JobEnded extends Error {
  readonly kind: OutcomeKind

  constructor(kind: OutcomeKind) {
    super(kind)
    this.kind = kind
  }
}

type TransactionContext = Pick<JobContext, 'directory' | 'signal' | 'deadline' | 'onStage'> & {
  readonly job: Parameters<typeof beginJournal>[1]
}

/**
 * Runs a job that changes a profile: in the end the profile is what the work says is to be kept, or as it was. A host that is
 * killed meanwhile leaves a journal, by which the next one restores it.
 *
 * @param context of the job; this process has locked the profile
 * @param plan.specs the plugins that it changes
 * @param plan.needsUndo true if the work needs the snapshot of the last change, which else may be deleted
 * @param work does everything that is the job's own
 * @returns the work's outcome, with what became of the profile; that of a cancelled job, or of an error
 * @throws when the journal cannot be begun; then nothing was changed
 */
export async function runTransaction(
  context: TransactionContext,
  plan: { readonly specs: readonly InstallSpec[]; readonly needsUndo?: boolean },
  work: (transaction: Transaction) => Promise<Conclusion>,
): Promise<Outcome> {
  const { directory, job, signal, onStage } = context
  const { needsUndo = false } = plan
  if (signal.aborted) return emptyOutcome('cancelled')
  const before = await readProfileState(directory)
  if (before === null) return emptyOutcome('profile-missing')

  let journal = await beginJournal(directory, job, plan.specs)
  const limits = watchLimits(context)
  const snapshot: Transaction['snapshot'] = async (specs = plan.specs) => {
    limits.signal.throwIfAborted()
    const now = await readProfileState(directory)
    // By another program.
    if (now === null || changedFiles(before, now).length > 0) throw new JobEnded('profile-changed')
    if (!needsUndo) await dropUndo(directory)
    journal = await takeSnapshot(directory, { ...journal, specs: [...specs] }, limits.signal)
  }

  let end: Conclusion
  try {
    onStage('preparing')
    await deleteJobFile(directory, job.id)
    await ensureFreeSpace(directory, { keepsUndo: needsUndo, signal: limits.signal })
    end = await work({ before, signal: limits.signal, snapshot })
    if (end.keep && signal.aborted) throw new JobEnded('cancelled')
    if (end.keep) {
      await (end.isUndoable === false ? endUnchanged(directory) : commit(directory, journal, end.keep))
      return end.outcome
    }
  } catch (error) {
    end = { outcome: outcomeOfError(error) }
  } finally {
    limits.stop()
  }
  return { ...end.outcome, ...(await restoreProfile(directory, end.outcome, journal, before)) }
}

/** Rolls a job back. Of one without a snapshot, which changed nothing, the outcome stays as it is. */
async function restoreProfile(
  directory: string,
  outcome: Outcome,
  { snapshot, specs }: Journal,
  before: ProfileState,
): Promise<Partial<Outcome>> {
  const { rollback: result, quarantined } = await rollback(directory)
  const all = { quarantined: [...outcome.quarantined, ...quarantined] }
  if (snapshot === null && result === 'complete') return all
  const now = await readProfileState(directory)
  return { ...all, rollback: result, profile: now && profileOutcome({ specs, before, after: now }) }
}

/** Returns the outcome of a job that an error ended. */
export function outcomeOfError(error: unknown): Outcome {
  if (error instanceof JobEnded) return emptyOutcome(error.kind)
  if (error instanceof NewerStateFormat) return emptyOutcome('store-outdated')
  return notPreparedOutcome(error)
}

/** Returns a signal that comes when a job is cancelled or its time is over. */
function watchLimits({ signal, deadline }: Pick<TransactionContext, 'signal' | 'deadline'>) {
  const controller = new AbortController()
  const cancel = () => controller.abort(new JobEnded('cancelled'))
  const timer = setTimeout(() => controller.abort(new JobEnded('timed-out')), Math.max(1, deadline - performance.now()))
  signal.addEventListener('abort', cancel)
  if (signal.aborted) cancel()
  return {
    signal: controller.signal,
    stop() {
      clearTimeout(timer)
      signal.removeEventListener('abort', cancel)
    },
  }
}
