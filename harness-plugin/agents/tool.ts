import * as v from 'valibot'
import { ClientError, type NextCall } from '../client/client-error.ts'
import type { StoreClient } from '../client/store-client.ts'
import type { Refusal } from '../protocol/index.ts'
import { plain } from '../protocol/text.ts'
import { DECLARATIONS } from './tool-declarations.ts'

/** Why a tool did nothing: as the client or the host refuses, or for a reason of the tools' own. */
export interface ToolRefusal {
  readonly ok: false
  readonly code: string
  readonly message: string
  /** The next step for the agent. */
  readonly next: string
  /** Ids that are like what was named. */
  readonly suggestions?: readonly string[]
  readonly command?: string
  readonly check?: string
  readonly risks?: readonly string[]
  /** The job that is in the way. */
  readonly job?: string
}

/** Context of a call, besides its arguments. */
export interface Asking {
  readonly client: StoreClient
  /** The profile that is asked about. */
  readonly profile: string
  readonly signal: AbortSignal
}

/** A tool without its declaration. It may throw a ClientError. */
export interface Tool<T extends v.GenericSchema, Context extends Asking = Asking> {
  /** Reads the arguments. */
  readonly input: T
  run(input: v.InferOutput<T>, context: Context): Promise<ToolRefusal | { readonly ok: true }>
}

/**
 * Calls a tool. The answer is always a value, and every text in it is plain.
 *
 * @param onFault receives an error of the store itself, which the answer does not describe
 * @throws only when the call was aborted
 */
export async function callTool<T extends v.GenericSchema, Context extends Asking>(
  { input, run }: Tool<T, Context>,
  args: unknown,
  context: Context,
  onFault: (error: unknown) => void,
): Promise<ToolRefusal | { readonly ok: true }> {
  const read = v.safeParse(input, args)
  if (!read.success) return malformed(read.issues[0])
  try {
    return plain(await run(read.output, context)) as { ok: true }
  } catch (error) {
    context.signal.throwIfAborted()
    if (error instanceof ClientError) return plain(toRefusal(error)) as ToolRefusal
    onFault(error)
    return {
      ok: false,
      code: 'internal',
      message: 'The store failed at this; the log of the harness tells more.',
      next: 'Tell the person.',
    }
  }
}

function malformed(issue: v.BaseIssue<unknown>): ToolRefusal {
  const where = v.getDotPath(issue)
  const { expected, received } = issue
  const problem =
    issue.kind === 'schema' && expected !== null ? `expected ${expected}, received ${received}` : issue.message
  return {
    ok: false,
    code: 'malformed',
    message: where ? `The argument "${where}" is not valid: ${problem}.` : `The arguments are not valid: ${problem}.`,
    next: 'Correct the arguments and call again.',
  }
}

/** The next step after a refusal of the host, by its code. */
const NEXT: Readonly<Record<string, string>> = {
  directory: 'Tell the person that the directory cannot be reached. Try again later.',
  'directory-needed': 'Tell the person that the directory cannot be reached. Try again later.',
  'package-manager': 'Tell the person. Try again later.',
  'unknown-profile': 'Tell the person.',
  'unknown-job': `See what is installed with ${DECLARATIONS.installed.name}.`,
  'not-installed': `See what is installed with ${DECLARATIONS.installed.name}.`,
  'already-running': `Wait for the job with ${DECLARATIONS.job.name}.`,
  'bad-token': 'Call again.',
  internal: 'Tell the person.',
}
const TELL = 'Tell the person why, or look for another plugin. Do not look for a way around.'

export function toRefusal(error: ClientError | Refusal): ToolRefusal {
  const { code, message } = error
  const suggestions = error instanceof ClientError ? error.suggestions : []
  const next = error instanceof ClientError && error.next ? nextOf(error.next) : null
  return {
    ok: false,
    code,
    message,
    next:
      suggestions.length > 0
        ? 'Show the suggestions to the person; never take one of them by yourself.'
        : (next ?? NEXT[code] ?? TELL),
    ...(suggestions.length > 0 ? { suggestions } : {}),
  }
}

function nextOf(next: NextCall): string {
  switch (next.call) {
    case 'search':
      return `Search with ${DECLARATIONS.search.name}: "${next.query}".`
    case 'show':
      return `Look at it with ${DECLARATIONS.details.name}: "${next.id}".`
    case 'list':
      return `See what is installed with ${DECLARATIONS.installed.name}.`
    case 'try-again':
      return 'Try again later.'
    case 'harness':
      return 'Only the person can do this, with the harness’s own command.'
  }
}

/** Rejects when the call is aborted. The work goes on; it has a time limit of its own and changes nothing. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  work.catch(() => {})
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const end = () => reject(signal.reason)
  signal.addEventListener('abort', end)
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', end))
}
