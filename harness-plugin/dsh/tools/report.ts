import { messagesFor } from '../../messages/index.ts'
import type { Job, OutcomeKind } from '../../protocol/index.ts'
import { isSuccess } from '../../protocol/next-steps.ts'
import { DECLARATIONS } from './declarations.ts'

/** Last lines of the output that go with a job that failed. */
const MOST_LINES = 8

/** To let build scripts run is for a person, who sees them there. */
const IN_SCREEN = 'A person approves that in the plugin store of the web UI; it cannot be done from here.'

/** Outcomes whose subjects are what the harness or the page said. */
const QUOTED: readonly OutcomeKind[] = [
  'stops-harness',
  'does-not-start',
  'breaks-others',
  'breaks-screen',
  'profile-broken',
  'rejected',
]

/** How a job stands, in the words of the screen. What programs wrote is quoted apart from them. */
export function reportOf(job: Job) {
  const { id, action, listing, command, state, stage, outcome } = job
  const known = { ok: true, job: id, action, id: listing, command, state } as const
  if (!outcome)
    return {
      ...known,
      stage,
      message: `Not over yet. Ask for it with ${DECLARATIONS.job.name}; a person sees it in the plugin store of the web UI.`,
    }
  const t = messagesFor('en')
  const succeeded = isSuccess(outcome.kind)
  // The words would quote what a plugin said; that goes under "quoted".
  const isQuote = QUOTED.includes(outcome.kind)
  const { title, next } = t.outcome[outcome.kind]({ ...outcome, subjects: isQuote ? [] : outcome.subjects, action })
  const quoted = [...(isQuote ? outcome.subjects : []), ...(succeeded ? [] : job.output.slice(-MOST_LINES))]
  return {
    ...known,
    outcome: outcome.kind,
    succeeded,
    message: t.sentences(
      `${title}.`,
      next,
      ...(outcome.kind.endsWith('-blocked') ? [IN_SCREEN] : []),
      ...toAllow(outcome.allowCommand),
    ),
    profile: outcome.rollback && t.rollback(outcome.rollback, outcome.profile),
    ...(outcome.quarantined.length > 0 ? { quarantined: t.quarantined(outcome.quarantined) } : {}),
    activation: outcome.activation,
    quoted: quoted.length > 0 ? quoted : null,
  }
}

/** How a person accepts what the harness refuses; nothing where there is no such command. */
export const toAllow = (command: string | null): string[] =>
  command === null
    ? []
    : [`This is for a person to decide and to run, not for an agent. ${messagesFor('en').allowCommand} ${command}`]
