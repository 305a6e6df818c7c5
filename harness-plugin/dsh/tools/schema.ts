import type { JsonSchema } from './services.ts'

export const text: JsonSchema = { type: 'string' }
export const integer: JsonSchema = { type: 'integer' }
export const yesNo: JsonSchema = { type: 'boolean' }
export const texts: JsonSchema = { type: 'array', items: text }

export const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items })

/** An object of these keys alone, of which the required ones are always there. */
export const fields = (properties: Readonly<Record<string, JsonSchema>>, required: readonly string[]): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

const REFUSAL = fields({ ok: { type: 'boolean', const: false }, code: text, message: text }, ['ok', 'code', 'message'])

/** What a tool answers: its result, marked as such, or why there is none. */
export const answerOf = (
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
): JsonSchema => ({
  oneOf: [fields({ ok: { type: 'boolean', const: true }, ...properties }, ['ok', ...required]), REFUSAL],
})
