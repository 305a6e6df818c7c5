import * as v from 'valibot'
import { InstantSchema, WholeNumberSchema } from '../contract/index.ts'

/** Raised when what is stored changes its shape; an index of another schema counts as none. */
export const SCHEMA = 3

export const INDEX_KEY = 'index'
export const CHECK_KEY = 'check'
export const bucketKey = (bucket: number): string => `bucket-${bucket}`

/** What the stored index is. Written in one transaction with its buckets, and never without them. */
export const IndexRecordSchema = v.object({
  schema: v.literal(SCHEMA),
  /** `generated` of the document. */
  generated: InstantSchema,
  /** Origin of the listings' pages. */
  site: v.string(),
  /** Listings. */
  count: WholeNumberSchema,
  /** Rows of the document that did not parse. */
  rejected: WholeNumberSchema,
  /** ms since 1970. */
  savedAt: WholeNumberSchema,
})
export type IndexRecord = Readonly<v.InferOutput<typeof IndexRecordSchema>>

/**
 * How the requests for the index went. Apart from the index record, so that to note an attempt never touches what
 * describes the buckets: a tab that lost its lock cannot put an old record over new rows. Times are ms since 1970.
 */
export const CheckRecordSchema = v.object({
  schema: v.literal(SCHEMA),
  /** When the index was last known to be the newest. */
  checkedAt: v.nullable(WholeNumberSchema),
  /** When the last request was sent. */
  attemptedAt: v.nullable(WholeNumberSchema),
  /** Requests without success since the last success, one under way included. */
  attempts: WholeNumberSchema,
  /** When the last of them that is known to have failed was sent; null where their tabs were closed first. */
  failedAt: v.nullable(WholeNumberSchema),
  /** No request before this, when attempts is not 0. */
  nextTryAt: WholeNumberSchema,
  /** Why it failed. */
  message: v.nullable(v.string()),
})
export type CheckRecord = Readonly<v.InferOutput<typeof CheckRecordSchema>>

export const NO_CHECK: CheckRecord = {
  schema: SCHEMA,
  checkedAt: null,
  attemptedAt: null,
  attempts: 0,
  failedAt: null,
  nextTryAt: 0,
  message: null,
}
