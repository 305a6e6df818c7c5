import { QUOTED, quotedLines } from '../../agents/facts.ts'
import { toAllow } from '../../agents/reviewed.ts'
import { DECLARATIONS } from '../../agents/tool-declarations.ts'
import { messagesFor } from '../../messages/index.ts'
import type { Job, OutcomeKind } from '../../protocol/index.ts'
import { isSuccess } from '../../protocol/next-steps.ts'

/** Last lines of the output that go with a job that failed. */
const MOST_LINES = 8

/** Said to a model instead of what the screen says to a person. */
const NEXT: Readonly<Partial<Record<OutcomeKind, string>>> = {
  cancelled: 'The person cancelled it. Do not start it again unless they ask for it.',
  failed: 'The last lines of its output are under "quoted".',
}

/** Only a person, who sees the scripts, lets them run. */
const IN_SCREEN = 'A person approves that in the plugin store of the web UI; it cannot be done from here.'

/** Outcomes whose subjects are texts of the harness, the page or the plugin. */
const SAID: readonly OutcomeKind[] = [
  'stops-harness',
  'does-not-start',
  'breaks-others',
  'breaks-screen',
  'profile-broken',
  'rejected',
]

/** A name, a version or a path. Anything else that a program printed is quoted. */
const NAME = /^[\w@./:#~+^*=<>-]{1,120}$/

/** Reports on a job, in the words of the screen where they suit a model. What programs wrote is quoted apart from them. */
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
  const isQuote = SAID.includes(outcome.kind) || !outcome.subjects.every(isPlainSubject)
  const { title, next } = t.outcome[outcome.kind]({ ...outcome, subjects: isQuote ? [] : outcome.subjects, action })
  const quoted = quotedLines([
    ...(isQuote ? outcome.subjects : []),
    ...(succeeded ? [] : job.output.slice(-MOST_LINES)),
  ])
  return {
    ...known,
    outcome: outcome.kind,
    succeeded,
    message: t.sentences(
      `${title}.`,
      NEXT[outcome.kind] ?? next,
      ...(outcome.kind.endsWith('-blocked') ? [IN_SCREEN] : []),
      ...toAllow(outcome.allowCommand),
    ),
    profile: outcome.rollback && t.rollback(outcome.rollback, outcome.profile),
    ...(outcome.quarantined.length > 0 ? { quarantined: t.quarantined(outcome.quarantined) } : {}),
    activation: outcome.activation,
    ...(quoted.length > 0 ? { quoted, notes: [QUOTED] } : {}),
  }
}

/** Requirements of a plugin are several words, such as `dsh ^0.1.0, dsh-settings ^0.1.0`. */
const isPlainSubject = (subject: string): boolean =>
  subject.split(', ').every((part) => part.split(' ').length <= 2 && part.split(' ').every((word) => NAME.test(word)))
