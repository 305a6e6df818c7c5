import * as v from 'valibot'
import type { Refusal } from '../../bridge/index.ts'
import { plain } from './plain.ts'
import type { JsonSchema, ToolDefinition, ToolRun } from './services.ts'

/** Why a tool does not do what it was asked to, besides what the store's host refuses. */
export type ToolRefusal =
  | Refusal
  | { readonly ok: false; readonly code: 'not-approved' | 'no-approval'; readonly message: string }

export interface Tool<T extends v.GenericSchema> {
  readonly name: string
  readonly description: string
  /** What is read of the arguments. */
  readonly input: T
  /** The same, as the agent is told of it. */
  readonly parameters: JsonSchema
  readonly output: JsonSchema
  /** Whether it changes nothing, so that others may run beside it. */
  readonly readOnly: boolean
  run(input: v.InferOutput<T>, run: ToolRun): Promise<ToolRefusal | { readonly ok: true }>
}

/**
 * A tool as the harness takes it. Whatever happens, its answer is a value, and every text in it is plain.
 *
 * @param onFault told of a fault of ours, which the answer does not describe
 */
export function toDefinition<T extends v.GenericSchema>(
  { name, description, input, parameters, output, readOnly, run }: Tool<T>,
  onFault: (error: unknown) => void,
): ToolDefinition {
  async function answer(args: unknown, call: ToolRun): Promise<unknown> {
    const read = v.safeParse(input, args)
    if (!read.success) {
      const [issue] = read.issues
      const where = v.getDotPath(issue)
      return { ok: false, code: 'malformed', message: `${where ? `"${where}": ` : ''}${issue.message}` }
    }
    try {
      return await run(read.output, call)
    } catch (error) {
      // The harness knows a call that was ended from its own signal.
      call.signal.throwIfAborted()
      onFault(error)
      return { ok: false, code: 'internal', message: 'The store failed at this; the log of the harness tells more.' }
    }
  }
  return {
    name,
    description,
    parameters,
    output: { schema: output, render: (_args, value) => [{ type: 'text', text: JSON.stringify(value) }] },
    execute: async (args, call) => plain(await answer(args, call)),
    isConcurrencySafe: () => readOnly,
  }
}

/** Gives up waiting when the call is ended. What it waited for is bounded by itself and changes nothing. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const end = () => reject(signal.reason)
  signal.addEventListener('abort', end)
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', end))
}
