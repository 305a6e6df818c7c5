import type { Job, JobStage, Outcome } from '../../bridge/index.ts'
import { readProfileState } from '../profiles/state.ts'
import { beforeDirectory, type Journal, readJournal, writeJournal } from '../transaction/journal.ts'
import { endLeftovers, JOB_VARIABLE } from '../transaction/leftovers.ts'
import { begin, commit, putAside, undo } from '../transaction/transaction.ts'
import { type Order, orderArguments } from './order.ts'
import { isDone, notStarted, profileOutcome, readOutcome } from './outcome.ts'
import type { Output } from './output.ts'
import { runProcess } from './process.ts'

/** What a job runs with; none of it comes from a page. */
export interface JobSettings {
  /** Program and leading arguments that start the harness's command line. */
  readonly command: readonly string[]
  readonly home: string
  readonly env: Readonly<Record<string, string>>
  readonly timeLimitMs: number
  readonly masks: readonly (readonly [text: string, shown: string])[]
  readonly now: () => number
}

export interface RunningJob {
  readonly settings: JobSettings
  /** The profile's directory, which this process has locked. */
  readonly directory: string
  readonly job: Job
  readonly order: Order
  readonly output: Output
  readonly signal: AbortSignal
  readonly onStage: (stage: JobStage) => void
}

/**
 * Carries an order out as a transaction: in the end the profile is what was asked for, or as it was.
 *
 * @throws when the profile could not be put aside; then nothing was run
 */
export async function runJob(running: RunningJob): Promise<Outcome> {
  const { settings, directory, job, order, output, signal, onStage } = running
  const before = await readProfileState(directory)
  if (before === null) return notStarted('profile-missing')
  const { id, action, listing, command, queuedAt } = job
  const startedAt = job.startedAt ?? queuedAt
  onStage('preparing')
  let journal = await begin(directory, {
    spec: order.plan.spec,
    job: { id, action, listing, command, queuedAt, startedAt },
  })
  const enter = async (stage: JobStage) => {
    journal = { ...journal, stage }
    await writeJournal(directory, journal)
    onStage(stage)
  }
  try {
    journal = await putAside(directory, journal)
    await enter('installing')
  } catch (error) {
    await undo(directory)
    throw error
  }

  const end = await runProcess({
    command: [...settings.command, ...orderArguments(order)],
    cwd: settings.home,
    env: { ...settings.env, [JOB_VARIABLE]: id },
    timeLimitMs: settings.timeLimitMs,
    signal,
    onText: (stream, text) => output.write(stream, text),
  })
  output.end()
  await enter('checking')
  const given = { action, spec: order.plan.spec, before }
  const after = await readProfileState(directory)
  const outcome = readOutcome({ ...given, after, end, output: output.lines })
  if (isDone(outcome.kind)) {
    await commit(directory)
    return outcome
  }
  const undone = await undo(directory)
  const now = await readProfileState(directory)
  return { ...outcome, undo: undone, profile: now && profileOutcome({ ...given, after: now }) }
}

export interface Interrupted {
  readonly job: Journal['job']
  readonly outcome: Outcome
}

/**
 * Undoes the job that a journal tells of: its host ended in the middle of it.
 *
 * @param directory the profile's directory, which this process has locked
 * @returns null when there is no journal
 */
export async function undoInterrupted(directory: string): Promise<Interrupted | null> {
  const journal = await readJournal(directory)
  if (journal === null) return null
  const { job, spec, aside } = journal
  const before = await readProfileState(aside === null ? directory : beforeDirectory(directory))
  const undone = (await endLeftovers(job.id)) ? await undo(directory) : 'failed'
  const now = await readProfileState(directory)
  const profile = before && now && profileOutcome({ spec, before, after: now })
  return { job, outcome: { ...notStarted('interrupted'), undo: undone, profile } }
}

/** A missing profile is told as that; else the system's word for why the profile could not be put aside. */
export function notPrepared(error: unknown): Outcome {
  const { code, message } = error as NodeJS.ErrnoException
  return code === 'ENOENT' ? notStarted('profile-missing') : notStarted('not-prepared', [code ?? message])
}
