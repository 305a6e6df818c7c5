import type { InstallSpec } from '@plugmark/shared/install'
import type { Outcome, OutcomeKind, PackageChange } from '../../protocol/index.ts'
import type { JobContext } from '../harness/job.ts'
import { emptyOutcome, notPreparedOutcome, profileOutcome } from '../harness/outcome.ts'
import { changedFiles, type ProfileState, readProfileState } from '../profile/state.ts'
import { packageChanges, recordJob } from './history.ts'
import { beginJournal, commit, deleteJobFile, endUnchanged, type Journal, NewerStateFormat } from './journal.ts'
import { rollback } from './rollback.ts'
import { ensureFreeSpace, takeSnapshot } from './snapshot.ts'

/** Interface of an open transaction for the work of a job. */
export interface Transaction {
  /** The profile when the job began. */
  readonly before: ProfileState
  /** Stops copying when the job is cancelled or its time is over. Programs use the job's signal and deadline. */
  readonly signal: AbortSignal
  /**
   * Takes the snapshot that a rollback restores. From here on the job may change the profile.
   *
   * @param specs the plugins that the job changes, if they were unknown before
   * @throws when the job must end instead; its outcome has the reason
   */
  snapshot(specs?: readonly InstallSpec[]): Promise<void>
}

/** Result of a job's work. */
export interface Conclusion {
  readonly outcome: Outcome
  /** Final state of the profile. Without it the profile is restored. */
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

type TransactionContext = Pick<JobContext, 'directory' | 'signal' | 'deadline' | 'output' | 'onStage'> & {
  readonly job: Parameters<typeof beginJournal>[1]
  readonly settings: Pick<JobContext['settings'], 'client' | 'now'>
}

/**
 * Runs a job that changes a profile. In the end the profile has the state that the work wants to keep, or is unchanged.
 * A host that is killed meanwhile leaves a journal, from which the next host restores the profile.
 *
 * @param context of the job; this process has locked the profile
 * @param plan.specs the plugins that the job changes
 * @param plan.needsUndo true if the work needs the snapshot of the last change, which may be deleted otherwise
 * @param plan.isRecorded false to keep the job out of the profile's history
 * @param work does the job's own work
 * @returns the work's outcome with the result of a rollback, or the outcome of a cancelled job or of an error
 * @throws when the journal cannot be created; then nothing has changed
 */
export async function runTransaction(
  context: TransactionContext,
  plan: { readonly specs: readonly InstallSpec[]; readonly needsUndo?: boolean; readonly isRecorded?: boolean },
  work: (transaction: Transaction) => Promise<Conclusion>,
): Promise<Outcome> {
  const { directory, job, signal, onStage } = context
  const { needsUndo = false, isRecorded = true } = plan
  if (signal.aborted) return emptyOutcome('cancelled')
  const before = await readProfileState(directory)
  if (before === null) return emptyOutcome('profile-missing')

  let journal = await beginJournal(directory, job, plan.specs, context.settings.client)
  const limits = watchLimits(context)
  const snapshot: Transaction['snapshot'] = async (specs = plan.specs) => {
    limits.signal.throwIfAborted()
    const now = await readProfileState(directory)
    // Another program has changed the profile.
    if (now === null || changedFiles(before, now).length > 0) throw new JobEnded('profile-changed')
    const options = { signal: limits.signal, spendsUndo: !needsUndo }
    journal = await takeSnapshot(directory, { ...journal, specs: [...specs] }, options)
  }

  let end: Conclusion
  try {
    onStage('preparing')
    await deleteJobFile(directory, job.id)
    await ensureFreeSpace(directory, { keepsUndo: needsUndo, signal: limits.signal })
    end = await work({ before, signal: limits.signal, snapshot })
    if (end.keep && signal.aborted) throw new JobEnded('cancelled')
    if (end.keep) {
      // Before the journal is deleted: if this process is killed in between, recovery replaces the entry.
      if (isRecorded) await record(context, journal, end.outcome, await packageChanges(directory, before, end.keep))
      await (end.isUndoable === false ? endUnchanged(directory) : commit(directory, journal, end.keep))
      return end.outcome
    }
  } catch (error) {
    end = { outcome: outcomeOfError(error) }
  } finally {
    limits.stop()
  }
  const outcome = { ...end.outcome, ...(await restoreProfile(directory, end.outcome, journal, before)) }
  if (isRecorded) await record(context, journal, outcome, [])
  return outcome
}

/** Adds the job to the history of the profile, without secrets. */
async function record(
  { directory, output, settings }: TransactionContext,
  { job, client }: Journal,
  outcome: Outcome,
  changes: readonly PackageChange[],
): Promise<void> {
  const clean = (text: string) => output.clean(text)
  const cleanOrNull = (text: string | null) => text && clean(text)
  const { listing, more, command } = job
  await recordJob(
    directory,
    {
      ...job,
      client,
      changes,
      endedAt: settings.now(),
      listing: cleanOrNull(listing),
      more: more.map(clean),
      command: cleanOrNull(command),
      outcome: { ...outcome, subjects: outcome.subjects.map(clean) },
    },
    [...(command === null ? [] : [`$ ${clean(command)}`]), ...output.lines],
  )
}

/** Rolls back a job. Keeps the outcome of a job without a snapshot, which has changed nothing. */
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

/** Returns a signal that is aborted when a job is cancelled or its time is over. */
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
