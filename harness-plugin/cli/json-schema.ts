import { toJsonSchema } from '@valibot/to-json-schema'
import { DEFINITIONS, DocumentSchema, EventSchema } from './documents.ts'

/** Returns the JSON Schema (draft 7) of every document, which is published with the package. */
export const documentJsonSchema = (): Record<string, unknown> => ({
  ...toJsonSchema(DocumentSchema, { errorMode: 'throw', definitions: DEFINITIONS }),
  title: 'What plugmark writes with --json, version 1',
})

/** Returns the JSON Schema of each line that --events writes. */
export const eventJsonSchema = (): Record<string, unknown> => ({
  ...toJsonSchema(EventSchema, { errorMode: 'throw' }),
  title: 'A line that plugmark writes with --events, version 1',
})
