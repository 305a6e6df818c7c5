import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema'
import { DEFINITIONS, DocumentSchema, EventSchema } from './documents.ts'

/** The schemas make text plain, which JSON Schema does not express. */
const OPTIONS: ConversionConfig = { errorMode: 'throw', ignoreActions: ['transform'] }

/** Returns the JSON Schema (draft 7) of every document, which is published with the package. */
export const documentJsonSchema = (): Record<string, unknown> => ({
  ...toJsonSchema(DocumentSchema, { ...OPTIONS, definitions: DEFINITIONS }),
  title: 'What plugmark writes with --json, version 1',
})

/** Returns the JSON Schema of each line that --events writes. */
export const eventJsonSchema = (): Record<string, unknown> => ({
  ...toJsonSchema(EventSchema, OPTIONS),
  title: 'A line that plugmark writes with --events, version 1',
})
