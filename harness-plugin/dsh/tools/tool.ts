import * as v from 'valibot'
import { plain } from '../../client/plain-text.ts'
import type { Refusal } from '../../protocol/index.ts'
import type { ToolRun } from './services.ts'

/** Why a tool did nothing: as the store's host refuses, or for a reason of its own. */
export type ToolRefusal = Omit<Refusal, 'code'> & {
  readonly code:
    | Refusal['code']
    | 'approvals-off'
    | 'no-approval'
    | 'not-approved'
    | 'not-as-reviewed'
    | 'too-many-questions'
  /** What to do instead. */
  readonly next?: string
  readonly command?: string
  readonly check?: string
  readonly risks?: readonly string[]
  /** The job that is in the way. */
  readonly job?: string
}

/** A tool without its declaration. */
export interface Tool<T extends v.GenericSchema> {
  /** Reads the arguments. */
  readonly input: T
  run(input: v.InferOutput<T>, run: ToolRun): Promise<ToolRefusal | { readonly ok: true }>
}

/**
 * Calls a tool. The answer is always a value, and every text in it is plain.
 *
 * @param onFault receives an error of the store itself, which the answer does not describe
 * @throws only when the call was aborted
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
    call.signal.throwIfAborted()
    onFault(error)
    return { ok: false, code: 'internal', message: 'The store failed at this; the log of the harness tells more.' }
  }
}

/** Rejects when the call is aborted. The work goes on; it has a time limit of its own and changes nothing. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const end = () => reject(signal.reason)
  signal.addEventListener('abort', end)
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', end))
}
