import * as v from 'valibot'

/** No call of ours is near these. */
const MAX_DEPTH = 4
const MAX_VALUES = 50
const MAX_TEXT = 2048

/**
 * Reads the arguments of a call. Nothing of them is looked at further than the bounds.
 *
 * @returns null when they are not of the schema's shape
 */
export function readFrame<T extends v.GenericSchema>(schema: T, frame: unknown): v.InferOutput<T> | null {
  // A schema of an object without keys would take an empty array.
  if (Array.isArray(frame) || !isBounded(frame)) return null
  const parsed = v.safeParse(schema, frame)
  return parsed.success ? parsed.output : null
}

function isBounded(frame: unknown): boolean {
  let values = 0
  let text = 0
  const pending: [value: unknown, depth: number][] = [[frame, 0]]
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
