import { plainText } from '../messages/plain.ts'
import type { Job, Outcome, OutcomeKind } from '../protocol/index.ts'
import { isSuccess } from '../protocol/next-steps.ts'
import type { JobData } from './documents.ts'
import { Failure } from './failure.ts'
import { outcomeText } from './outcome-text.ts'
import type { Session } from './session.ts'

/** Lines of output that go with a job that failed. */
const MOST_LINES = 20

export type EndedJob = Job & { readonly outcome: Outcome }

/** Waits for a job's end. When a person cancels, it is cancelled, and its end is that of its rollback. */
export async function endOf(session: Session, { id }: Pick<Job, 'id'>): Promise<EndedJob> {
  const host = await session.openHost()
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const stop = host.subscribe((event) => {
    if (event.type === 'job' && event.job.id === id && event.job.state === 'done') resolve()
  })
  const cancel = () => void host.calls.cancel({ job: id })
  const wasWorking = session.isWorking
  session.isWorking = true
  session.signal.addEventListener('abort', cancel)
  if (session.signal.aborted) cancel()
  try {
    for (;;) {
      const job = host.job(id)
      if (job?.outcome) return { ...job, outcome: job.outcome }
      if (job === null) throw new Failure('unknown-job', ({ failures }) => failures.unknownJob)
      await ended
    }
  } finally {
    session.isWorking = wasWorking
    session.signal.removeEventListener('abort', cancel)
    stop()
  }
}

export function toJobData(
  session: Session,
  { id, listing, more, action, command, outcome, output }: EndedJob,
): JobData {
  const failed = !isDone(outcome)
  return {
    ids: listing === null ? [] : [listing, ...more],
    action,
    job: id,
    command,
    outcome: {
      kind: outcome.kind,
      ...outcomeText(outcome, action, session.locale),
      subjects: outcome.subjects.map((text) => plainText(text)),
      parts: outcome.parts.map(({ listing, kind, subjects }) => ({
        ...{ id: listing, kind, subjects: subjects.map((text) => plainText(text)) },
      })),
      rollback: outcome.rollback,
      changed: [...(outcome.profile?.changed ?? [])],
      quarantined: [...outcome.quarantined],
      activation: outcome.activation,
      trial: outcome.trial && { ...outcome.trial },
      removeCommand: outcome.removeCommand,
      allowCommand: outcome.allowCommand,
    },
    output: failed ? output.slice(-MOST_LINES).map((line) => plainText(line)) : [],
  }
}

export const isDone = ({ kind }: Pick<JobData['outcome'], 'kind'>): boolean => isSuccess(kind as OutcomeKind)

/** The error of a job that did not do what it was for. */
export function jobFailure(
  { outcome }: JobData,
  given: { readonly data?: unknown; readonly next?: string | null } = {},
): Failure {
  const { kind, title, message, allowCommand } = outcome
  return new Failure(kind as OutcomeKind, ({ explained }) => explained(title, message), {
    data: given.data,
    next: given.next ?? (allowCommand === null ? null : ({ failures }) => failures.allow(allowCommand)),
  })
}
