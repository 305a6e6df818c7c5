import * as v from 'valibot'
import { ClientError, type ClientErrorCode, type NextCall } from '../client/client-error.ts'
import type { StoreClient } from '../client/store-client.ts'
import type { Refusal } from '../protocol/index.ts'
import { plain } from '../protocol/text.ts'
import { type Answer, type Input, TOOLS, type ToolKey, type ToolRefusal } from './definitions.ts'

export type { ToolRefusal }

/** Context of a call, besides its arguments. */
export interface CallContext {
  readonly client: StoreClient
  /** The profile that the call is about. */
  readonly profile: string
  readonly signal: AbortSignal
  /** Over MCP, where nothing is changed: renders the command that the user runs. Absent in the harness. */
  readonly command?: (...words: readonly string[]) => string
}

/** Performs a tool. May throw a ClientError. */
export type Run<Key extends ToolKey, Context extends CallContext = CallContext> = (
  input: Input<Key>,
  context: Context,
) => Promise<ToolRefusal | Answer<Key>>

/**
 * Calls a tool. The answer is always a value, and every text in it is plain.
 *
 * @param onFault receives an error of the store itself, which the answer does not describe
 * @throws only when the call was aborted
 */
export async function callTool<Key extends ToolKey, Context extends CallContext>(
  key: Key,
  run: Run<Key, Context>,
  args: unknown,
  context: Context,
  onFault: (error: unknown) => void,
): Promise<ToolRefusal | { readonly ok: true }> {
  const read = v.safeParse(TOOLS[key].input, args)
  if (!read.success) return malformedArguments(key, args)!
  try {
    return plain(await run(read.output as Input<Key>, context)) as { ok: true }
  } catch (error) {
    context.signal.throwIfAborted()
    if (error instanceof ClientError) return plain(toRefusal(error)) as ToolRefusal
    onFault(error)
    return {
      ok: false,
      code: 'internal',
      message: 'The store failed. The log has the reason.',
      next: 'Tell the person.',
    }
  }
}

/** Returns a refusal of arguments that are not valid, in the same form for every kind of mistake; null if they are. */
export function malformedArguments(key: ToolKey, args: unknown): ToolRefusal | null {
  const [issue] = v.safeParse(TOOLS[key].input as v.GenericSchema, args).issues ?? []
  if (issue === undefined) return null
  const where = v.getDotPath(issue)
  const { kind, expected, received, message } = issue
  const isMissing = kind === 'schema' && received === 'undefined'
  const isOther = kind === 'schema' && expected !== null
  return invalidArgument(
    where,
    isMissing ? 'it is missing' : isOther ? `expected ${expected}, received ${received}` : message,
  )
}

export const invalidArgument = (name: string | null, problem: string): ToolRefusal => ({
  ok: false,
  code: 'malformed',
  message: name ? `The argument "${name}" is not valid: ${problem}.` : `The arguments are not valid: ${problem}.`,
  next: 'Correct the arguments and call again.',
})

/** The next step after a refusal of the host, by its code. */
const NEXT: Readonly<Partial<Record<ClientErrorCode, string>>> = {
  directory: 'Tell the person that the directory cannot be reached. Try again later.',
  'directory-needed': 'Tell the person that the directory cannot be reached. Try again later.',
  'package-manager': 'Tell the person. Try again later.',
  'unknown-profile': 'Tell the person.',
  'unknown-job': `See what is installed with ${TOOLS.installed.name}.`,
  'not-installed': `See what is installed with ${TOOLS.installed.name}.`,
  'already-running': `Wait for the job with ${TOOLS.job.name}.`,
  'bad-token': 'Call again.',
  internal: 'Tell the person.',
}
export const TELL = 'Tell the person why, or look for another plugin. Do not look for a way around.'

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
    ...(suggestions.length > 0 ? { suggestions: [...suggestions] } : {}),
  }
}

function nextOf(next: NextCall): string {
  switch (next.call) {
    case 'search':
      return `Search with ${TOOLS.search.name}${next.query === null ? ' for what it should do' : `: "${next.query}"`}.`
    case 'show':
      return `Look at it with ${TOOLS.details.name}: "${next.id}".`
    case 'list':
      return `See what is installed with ${TOOLS.installed.name}.`
    case 'try-again':
      return 'Try again later.'
    case 'harness':
      return 'Only the person can do this, with the harness’s own command.'
  }
}
