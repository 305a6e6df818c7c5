import * as v from 'valibot'
import { plain } from '../../client/plain-text.ts'
import type { Refusal } from '../../protocol/index.ts'
import type { ToolRun } from './services.ts'

/** Why a tool does not do what it was asked to, besides what the store's host refuses. */
export type ToolRefusal =
  | Refusal
  | { readonly ok: false; readonly code: 'not-approved' | 'no-approval'; readonly message: string }

/** What one tool does; how agents are told of it is in its declaration. */
export interface Tool<T extends v.GenericSchema> {
  /** What is read of the arguments. */
  readonly input: T
  run(input: v.InferOutput<T>, run: ToolRun): Promise<ToolRefusal | { readonly ok: true }>
}

/**
 * Calls a tool. Whatever happens, its answer is a value, and every text in it is plain.
 *
 * @param onFault told of a fault of ours, which the answer does not describe
 * @throws only when the call was ended
 */
export async function callTool<T extends v.GenericSchema>(
  { input, run }: Tool<T>,
  args: unknown,
  call: ToolRun,
  onFault: (error: unknown) => void,
): Promise<unknown> {
  const read = v.safeParse(input, args)
  if (!read.success) {
    const [issue] = read.issues
    const where = v.getDotPath(issue)
    return plain({ ok: false, code: 'malformed', message: `${where ? `"${where}": ` : ''}${issue.message}` })
  }
  try {
    return plain(await run(read.output, call))
  } catch (error) {
    // The harness knows a call that was ended from its own signal.
    call.signal.throwIfAborted()
    onFault(error)
    return { ok: false, code: 'internal', message: 'The store failed at this; the log of the harness tells more.' }
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
