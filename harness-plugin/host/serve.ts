import type { Answer, Refusal } from '../bridge/index.ts'
import { refuse } from './answer.ts'
import type { CallResults } from './calls.ts'
import { CALLS, type CallName } from './fence/calls.ts'
import { readFrame } from './fence/frame.ts'
import type { StoreHost } from './host.ts'

/**
 * Answers one call of a page: checks who calls, then what is asked, then does it. Never rejects, whatever it is given.
 *
 * @param frame the call's argument as it came over the connection
 * @param check why the caller is not trusted; null when it is, as where the connection itself sees to that
 * @param onFault told of a fault of ours, which the answer does not describe
 */
export async function serve<K extends CallName>(
  host: StoreHost,
  call: K,
  frame: unknown,
  { check, onFault }: { check: () => Refusal | null; onFault: (error: unknown) => void },
): Promise<Answer<CallResults[K]>> {
  try {
    const untrusted = check()
    if (untrusted) return untrusted
    const input = readFrame(CALLS[call], frame)
    if (input === null) return refuse('malformed', `This is not a call of "${call}".`)
    return await host.calls[call](input as never)
  } catch (error) {
    onFault(error)
    return refuse('internal', 'Something went wrong. See the store’s log.')
  }
}
