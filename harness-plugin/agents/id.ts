import { LIMITS } from '@plugmark/shared/contract'
import * as v from 'valibot'

/** The argument of `StoreClient.resolve`. */
export const IdSchema = v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(LIMITS.queryLength))
