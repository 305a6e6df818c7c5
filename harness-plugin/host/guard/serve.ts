import type { Answer, CallName, CallResult, Refusal, StoreCalls } from '../../protocol/index.ts'
import { CALLS } from '../../protocol/protocol.ts'
import { refuse } from './make-answer.ts'
import { parseInput } from './parse-input.ts'

/**
 * Serves one call: checks the caller, parses the input, then calls the implementation. Never rejects.
 *
 * @param argument the call's input, as the connection delivered it
 * @param check returns why the caller is not trusted; null when it is, or when the connection itself ensures that
 * @param onFault receives an error of the store itself, which the answer does not describe
 * @returns the result of the implementation, or a refusal
 */
export async function serve<K extends CallName>(
  host: { readonly calls: StoreCalls },
  call: K,
  argument: unknown,
  { check, onFault }: { check: () => Refusal | null; onFault: (error: unknown) => void },
): Promise<Answer<CallResult<K>>> {
  try {
    const untrusted = check()
    if (untrusted) return untrusted
    const input = parseInput(CALLS[call].input, argument)
    if (input === null) return refuse('malformed', `This is not a call of "${call}".`)
    return await host.calls[call](input as never)
  } catch (error) {
    onFault(error)
    return refuse('internal', 'Something went wrong. See the store’s log.')
  }
}
