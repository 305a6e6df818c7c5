import type { JsonSchema } from '../../agents/definitions.ts'

/**
 * Declares by hand what the tools use of the harness's services. Source: dsh-tools, dsh-user-approval and dsh-skill
 * 0.1.0-rc.8 to 0.2.1-rc.2.
 */

/** Each has a session of its own. */
export interface Agent {
  readonly session?: object
}

/** An event of a session's log. Source: dsh-session 0.1.0-rc.8 to 0.2.1-rc.2. */
export interface SessionEvent {
  readonly type: string
  readonly data: unknown
}

export interface ToolRun {
  readonly callId: string
  /** The agent that calls; a call outside of a conversation has none. */
  readonly agent?: Agent
  readonly signal: AbortSignal
}

export interface ToolDefinition {
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
  readonly output: {
    readonly schema: JsonSchema
    render(args: unknown, value: unknown): { readonly type: 'text'; readonly text: string }[]
  }
  execute(args: unknown, run: ToolRun): Promise<unknown>
  isConcurrencySafe(args: unknown): boolean
}

export interface ToolRegistry {
  get(name: string): object | undefined
  /** @throws when the name is taken or the definition is not understood */
  register(definition: ToolDefinition): () => void
}

export type ApprovalOutcome = 'allowed-once' | 'rejected' | 'cancelled' | 'unavailable'

export interface Approval {
  /** @throws when the agent is not in a turn */
  request(question: {
    readonly agent: Agent
    readonly toolName: string
    readonly callId: string
    readonly reason: string
    readonly signal: AbortSignal
  }): Promise<ApprovalOutcome>
  /** Returns `never` where approvals are switched off: then every question is rejected without asking anybody. */
  effectivePolicy?(session: object): 'ask' | 'never'
}

export interface SkillRegistry {
  register(skill: {
    readonly name: string
    readonly description: string
    readonly source: string
    readonly content: string
  }): () => void
}
