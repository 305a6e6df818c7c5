import { LIMITS } from '@plugmark/shared/contract'
import * as v from 'valibot'

/** What `StoreClient.resolve` takes. */
export const IdSchema = v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(LIMITS.queryLength))
