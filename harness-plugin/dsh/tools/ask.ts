import type { Context } from '../harness.ts'
import type { Approval, ApprovalOutcome, ToolRun } from './services.ts'
import type { ToolRefusal } from './tool.ts'

const BY_HAND = 'Nothing was run. The person can do it in the plugin store of the web UI.'

const ANSWERS: Readonly<Record<Exclude<ApprovalOutcome, 'allowed-once'>, ToolRefusal>> = {
  rejected: {
    ok: false,
    code: 'not-approved',
    message:
      'It was not approved: the person said no, or this session approves nothing. Nothing was run. Do not ask again.',
  },
  cancelled: { ok: false, code: 'not-approved', message: `The question was withdrawn. ${BY_HAND}` },
  unavailable: { ok: false, code: 'no-approval', message: `There is nobody here to ask for approval. ${BY_HAND}` },
}

/**
 * Asks through the harness's own approval. Only one answer is a yes, and there is no way around the question: it is
 * asked from inside the tool, not by a listener that another could stand before.
 *
 * @returns null when it was approved
 */
export async function askApproval(
  ctx: Context,
  { name, question, run }: { readonly name: string; readonly question: string; readonly run: ToolRun },
): Promise<ToolRefusal | null> {
  const { agent, callId, signal } = run
  const approval = ctx.get('approval') as Approval | undefined
  if (!approval || !agent) return ANSWERS.unavailable
  // It throws where the agent is in no turn; there nobody can be asked either.
  const asked = approval.request({ agent, toolName: name, callId, reason: question, signal })
  const outcome = await asked.catch(() => 'unavailable' as const)
  return outcome === 'allowed-once' ? null : (ANSWERS[outcome] ?? ANSWERS.unavailable)
}
