import { LIMITS } from '@plugmark/shared/contract'
import * as v from 'valibot'
import { MAX_REVIEWS } from '../../protocol/protocol.ts'

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
