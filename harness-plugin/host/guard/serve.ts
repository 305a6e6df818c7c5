import type { Answer, CallName, CallResult, Refusal, StoreCalls } from '../../protocol/index.ts'
import { CALLS } from '../../protocol/protocol.ts'
import { refuse } from './answer.ts'
import { parseInput } from './parse-input.ts'

/**
 * Answers one call of a page: checks who calls, then what is asked, then does it. Never rejects, whatever it is given.
 *
 * @param argument the call's argument as it came over the connection
 * @param check returns why the caller is not trusted; null when it is, as where the connection itself sees to that
 * @param onFault called with an error of the store itself, which the answer does not describe
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
