import type * as v from 'valibot'
import { type CommandName, DATA } from './documents.ts'
import { Failure } from './failure.ts'

type Json = unknown

/**
 * Cuts the data of a document to the named fields at any depth.
 *
 * @throws Failure when the documents of this command have no field of that name
 */
export function cutFields(command: CommandName, data: Json, fields: readonly string[]): Json {
  const known = fieldsOf(DATA[command])
  const unknown = fields.find((field) => !known.has(field))
  if (unknown !== undefined)
    throw new Failure('usage', ({ failures }) => failures.unknownField(unknown, [...known].toSorted().join(', ')))
  return cut(data, new Set(fields)) ?? {}
}

/** Cuts a value. Returns undefined when no field is left. */
function cut(value: Json, fields: ReadonlySet<string>): Json {
  if (Array.isArray(value)) {
    const items = value.map((item) => cut(item, fields)).filter((item) => item !== undefined)
    return items.length > 0 ? items : undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const entries = Object.entries(value)
    .map(([key, one]) => [key, fields.has(key) ? one : cut(one, fields)] as const)
    .filter(([, one]) => one !== undefined)
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}

type AnySchema = v.GenericSchema & {
  readonly entries?: Readonly<Record<string, AnySchema>>
  readonly item?: AnySchema
  readonly wrapped?: AnySchema
}

/** Returns the names of all fields that a schema has at any depth. */
function fieldsOf(schema: unknown): Set<string> {
  const { entries = {}, item, wrapped } = schema as AnySchema
  const inner = [...Object.values(entries), item, wrapped].filter((one) => one !== undefined)
  return new Set([...Object.keys(entries), ...inner.flatMap((one) => [...fieldsOf(one)])])
}
