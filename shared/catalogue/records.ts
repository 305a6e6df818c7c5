import * as v from 'valibot'
import { InstantSchema, WholeNumberSchema } from '../contract/index.ts'

/** Raised when what is stored changes its shape; a copy of another schema counts as none. */
export const SCHEMA = 2

export const COPY_KEY = 'copy'
export const CHECK_KEY = 'check'
/**
 * Digits of base 32. Numbers are not made texts of the usual way, because a browser keeps 64 KB for that once it has been
 * done some dozen times.
 */
const DIGITS = '0123456789abcdefghijklmnopqrstuv'
export const bucketKey = (bucket: number): string => `rows-${DIGITS[bucket >> 5]}${DIGITS[bucket & 31]}`

/** Not a literal, whose own code is as long as this file, in a script that has no room. */
const ThisSchema = v.pipe(
  v.number(),
  v.check((schema) => schema === SCHEMA),
)

/** What the copy is. Written in one transaction with its buckets, and never without them. */
const CopyRecordSchema = v.object({
  schema: ThisSchema,
  /** `generated` of the document. */
  generated: InstantSchema,
  /** Origin of the listings' pages. */
  site: v.string(),
  count: WholeNumberSchema,
  rejected: WholeNumberSchema,
  savedAt: WholeNumberSchema,
})
export type CopyRecord = Readonly<v.InferOutput<typeof CopyRecordSchema>>

/**
 * How the checks on the copy went. Apart from the copy's record, so that to note an attempt never touches what
 * describes the buckets: a tab whose lock was lost cannot put an old record over new rows.
 */
const CheckRecordSchema = v.object({
  schema: ThisSchema,
  /** When the copy was last known to be the newest. */
  checkedAt: v.nullable(WholeNumberSchema),
  /** When the last request was sent. */
  attemptedAt: v.nullable(WholeNumberSchema),
  /** Requests without success since the last success, one under way included. */
  attempts: WholeNumberSchema,
  /** When the last of them that is known to have failed was sent; null where none is: their tabs were closed first. */
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

/** The record, or null for a value that is none of this schema. */
export const readCopyRecord = (value: unknown): CopyRecord | null => (v.is(CopyRecordSchema, value) ? value : null)
export const readCheckRecord = (value: unknown): CheckRecord | null => (v.is(CheckRecordSchema, value) ? value : null)
