import { DirectoryError } from '@plugmark/shared/client'
import { hidePasswords, LIMITS } from '@plugmark/shared/contract'
import * as v from 'valibot'
import type { Answer, CallName, CallResult, Refusal, RefusalCode, StoreCalls } from '../../protocol/index.ts'
import { CALLS, MAX_REVIEWS } from '../../protocol/protocol.ts'

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

/** The largest call, `startAll`, takes `MAX_REVIEWS` reviews of three values each. */
const MAX_DEPTH = 4
const MAX_VALUES = 4 * MAX_REVIEWS + 10
const MAX_TEXT = (MAX_REVIEWS + 1) * LIMITS.fullNameLength

/**
 * Parses the argument of a call. Stops reading an argument that exceeds the limits.
 *
 * @returns null when it does not match the schema
 */
export function parseInput<T extends v.GenericSchema>(schema: T, argument: unknown): v.InferOutput<T> | null {
  // A schema of an object without keys would take an empty array.
  if (Array.isArray(argument) || !isBounded(argument)) return null
  const parsed = v.safeParse(schema, argument)
  return parsed.success ? parsed.output : null
}

function isBounded(argument: unknown): boolean {
  let values = 0
  let text = 0
  const pending: [value: unknown, depth: number][] = [[argument, 0]]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [value, depth] = next
    if (++values > MAX_VALUES || depth > MAX_DEPTH) return false
    if (typeof value === 'string') text += value.length
    if (text > MAX_TEXT) return false
    if (typeof value !== 'object' || value === null) continue
    const keys = Object.keys(value)
    if (keys.length > MAX_VALUES) return false
    for (const key of keys) {
      text += key.length
      pending.push([(value as Record<string, unknown>)[key], depth + 1])
    }
  }
  return true
}

export const answer = <T>(value: T): Answer<T> => ({ ok: true, value })
export const refuse = (code: RefusalCode, message: string): Refusal => ({
  ok: false,
  code,
  message: hidePasswords(message),
})

/** Returns a refusal for an error of the directory. @throws any other error */
export function directoryError(error: unknown): Refusal {
  if (error instanceof DirectoryError) return refuse('directory', error.message)
  throw error
}
