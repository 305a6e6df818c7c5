/** Answers as the document describes them. Clients read past them: a bad row must not cost the others. */
import * as v from 'valibot'
import { PluginRecordSchema, WholeNumberSchema } from './schemas.ts'

/** Envelope of `GET /api/v1/plugins`. */
export const PluginsPageSchema = v.object({
  total: WholeNumberSchema,
  count: WholeNumberSchema,
  results: v.array(PluginRecordSchema),
})

/** Body of an answer that is an error. */
export const ErrorBodySchema = v.object({ error: v.pipe(v.string(), v.maxLength(1000)) })
