import type { ToolRefusal } from '../../agents/definitions.ts'
import type { Context } from '../harness-context.ts'
import type { Approval, ApprovalOutcome, SessionEvent, ToolRun } from './services.ts'

/** Questions that one person is asked in one session until they write again. */
const MOST_QUESTIONS = 3

const BY_HAND = 'Nothing was run. The person can do it in the plugin store of the web UI.'
/** Other tools would skip everything that the store does. */
const NOT_INSTEAD =
  'Do not use plugin_manager, a shell or another tool instead: that skips the review, the trial and the undo.'
const WAIT = 'Go on without it, and wait for the person’s next message.'

const refusal = (code: ToolRefusal['code'], message: string, next: string): ToolRefusal => ({
  ok: false,
  code,
  message,
  next,
})

const NO_ANSWERER = refusal('no-approval', `There is nobody here to ask for approval. ${BY_HAND}`, NOT_INSTEAD)
const SWITCHED_OFF = refusal(
  'approvals-off',
  `Approvals are switched off in this session, so nobody was asked. ${BY_HAND}`,
  `Tell the person so. ${NOT_INSTEAD}`,
)
const REJECTED = refusal('not-approved', 'The person said no. Nothing was run.', `Do not ask again. ${NOT_INSTEAD}`)
const REJECTED_BEFORE = refusal(
  'not-approved',
  'The person already said no to this and has not written since, so they were not asked again. Nothing was run.',
  `${WAIT} ${NOT_INSTEAD}`,
)
const WITHDRAWN = refusal('not-approved', `The question was withdrawn. ${BY_HAND}`, WAIT)
const TOO_MANY = refusal(
  'too-many-questions',
  `The person was asked ${MOST_QUESTIONS} times since their last message, so they were not asked again. ${BY_HAND}`,
  `Say what is left to do. ${WAIT}`,
)

/** One question to the person. */
export interface Question {
  /** Name of the tool that asks. */
  readonly toolName: string
  /** Subject of the question; a no to it is remembered. */
  readonly subject: string
  readonly text: string
}

/** Questions that a session has asked since the person's last message. */
interface Asked {
  questions: number
  readonly rejected: Set<string>
}

export type Approvals = ReturnType<typeof createApprovals>

/**
 * Asks people through the harness's own approval. Only `allowed-once` is a yes. The question is asked from inside the
 * tool, so no listener of `tools/pre-execute` can skip it; a plugin that answers the harness's own `approval/request`
 * can, as any plugin has the person's rights.
 */
export function createApprovals(ctx: Context) {
  const bySession = new WeakMap<object, Asked>()
  ctx.on('session/event', (session, event) => {
    if (isPersonsMessage(event)) bySession.delete(session)
  })

  function askedIn({ agent }: ToolRun): Asked {
    const key = agent?.session ?? agent ?? {}
    const known = bySession.get(key) ?? { questions: 0, rejected: new Set() }
    bySession.set(key, known)
    return known
  }

  /** Returns why the person will not be asked about this; null when they will be. */
  function refusedAhead(run: ToolRun, subject: string): ToolRefusal | null {
    const approval = ctx.get('approval') as Approval | undefined
    if (!approval || !run.agent) return NO_ANSWERER
    if (run.agent.session && approval.effectivePolicy?.(run.agent.session) === 'never') return SWITCHED_OFF
    const { rejected, questions } = askedIn(run)
    if (rejected.has(subject)) return REJECTED_BEFORE
    return questions >= MOST_QUESTIONS ? TOO_MANY : null
  }

  /** Asks the person. @returns null when they said yes */
  async function ask(run: ToolRun, { toolName, subject, text }: Question): Promise<ToolRefusal | null> {
    const refused = refusedAhead(run, subject)
    if (refused) return refused
    const { agent, callId, signal } = run
    const approval = ctx.get('approval') as Approval
    const asked = askedIn(run)
    asked.questions++
    // It throws where the agent is in no turn; there nobody can be asked either.
    const outcome: ApprovalOutcome = await approval
      .request({ agent: agent!, toolName, callId, reason: text, signal })
      .catch(() => 'unavailable' as const)
    if (outcome === 'allowed-once') return null
    if (outcome === 'cancelled') return WITHDRAWN
    if (outcome !== 'rejected') return NO_ANSWERER
    asked.rejected.add(subject)
    return REJECTED
  }

  return { refusedAhead, ask }
}

/** Returns false for what other producers put into a session in the person's name, such as a goal's next round. */
const isPersonsMessage = ({ type, data }: SessionEvent): boolean =>
  type === 'user/message' && (data as { source?: { kind?: string } }).source?.kind === 'user'
