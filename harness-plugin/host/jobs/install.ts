import type { InstallPlan } from '@plugmark/shared/install'
import type { Job, Outcome, OutcomeKind } from '../../bridge/index.ts'
import { readProfileState } from '../profiles/state.ts'
import { beforeDirectory, type Journal, readJournal } from '../transaction/journal.ts'
import { endLeftovers, JOB_VARIABLE } from '../transaction/leftovers.ts'
import { begin, commit, undo } from '../transaction/transaction.ts'
import { profileOutcome, readOutcome } from './outcome.ts'
import type { Output } from './output.ts'
import { runProcess } from './process.ts'

/** What an install runs with; none of it comes from a page. */
export interface JobSettings {
  /** Program and leading arguments that start the harness's command line. */
  readonly command: readonly string[]
  readonly home: string
  readonly env: Readonly<Record<string, string>>
  readonly timeLimitMs: number
  readonly masks: readonly (readonly [text: string, shown: string])[]
  readonly now: () => number
}

export interface Install {
  readonly settings: JobSettings
  /** The profile's directory, which this process has locked. */
  readonly directory: string
  readonly job: Job
  readonly plan: InstallPlan
  readonly args: readonly string[]
  readonly output: Output
  readonly signal: AbortSignal
}

/**
 * Installs as a transaction: the profile has the plugin as a layer in the end, or is as it was.
 *
 * @throws when the profile could not be put aside; then nothing was run
 */
export async function runInstall({ settings, directory, job, plan, args, output, signal }: Install): Promise<Outcome> {
  const { command, home, env, timeLimitMs } = settings
  const { spec } = plan
  const before = await readProfileState(directory)
  if (before === null) return notStarted('profile-missing')
  const { id, listing, queuedAt } = job
  const startedAt = job.startedAt ?? queuedAt
  await begin(directory, { spec, job: { id, listing, command: job.command, queuedAt, startedAt } })

  const end = await runProcess({
    command: [...command, ...args],
    cwd: home,
    env: { ...env, [JOB_VARIABLE]: id },
    timeLimitMs,
    signal,
    onText: (stream, text) => output.write(stream, text),
  })
  output.end()
  const after = await readProfileState(directory)
  const outcome = readOutcome({ spec, before, after, end, output: output.lines })
  if (outcome.kind === 'registered') {
    await commit(directory)
    return outcome
  }
  const undone = await undo(directory)
  const now = await readProfileState(directory)
  return { ...outcome, undo: undone, profile: now && profileOutcome({ spec, before, after: now }) }
}

export interface Interrupted {
  readonly job: Journal['job']
  readonly outcome: Outcome
}

/**
 * Undoes the install that a journal tells of: its host ended in the middle of it.
 *
 * @param directory the profile's directory, which this process has locked
 * @returns null when there is no journal
 */
export async function undoInterrupted(directory: string): Promise<Interrupted | null> {
  const journal = await readJournal(directory)
  if (journal === null) return null
  const { job, spec } = journal
  const before = await readProfileState(beforeDirectory(directory))
  const undone = (await endLeftovers(job.id)) ? await undo(directory) : 'failed'
  const now = await readProfileState(directory)
  const profile = before && now && profileOutcome({ spec, before, after: now })
  return { job, outcome: { kind: 'interrupted', subjects: [], undo: undone, profile } }
}

export const notStarted = (kind: OutcomeKind, subjects: readonly string[] = []): Outcome => ({
  kind,
  subjects,
  undo: null,
  profile: null,
})

/** A missing profile is told as that; else the system's word for why the profile could not be put aside. */
export function notPrepared(error: unknown): Outcome {
  const { code, message } = error as NodeJS.ErrnoException
  return code === 'ENOENT' ? notStarted('profile-missing') : notStarted('not-prepared', [code ?? message])
}
