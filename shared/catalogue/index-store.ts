import * as v from 'valibot'
import { type Bucket, BucketSchema } from './buckets.ts'
import {
  bucketKey,
  CHECK_KEY,
  type CheckRecord,
  CheckRecordSchema,
  INDEX_KEY,
  type IndexRecord,
  IndexRecordSchema,
  NO_CHECK,
} from './records.ts'
import type { CacheState } from './state.ts'
import { withTimeLimit } from './time-limit.ts'
import { CLOCK_SKEW_MS, READ_LIMIT_MS, SILENT_LIMIT_MS, WRITE_LIMIT_MS } from './timing.ts'
import type { Environment } from './types.ts'

/** What one read found. */
export interface Snapshot extends CacheState {
  /** The buckets asked for, by number; empty when there is no index. */
  readonly buckets: ReadonlyMap<number, Bucket>
}

/** The index in the storage, and in memory what the storage would not take. Nothing here rejects. */
export interface IndexStore {
  /** The best there is: index record, check record and these buckets, read in one transaction. */
  read(buckets?: readonly number[]): Promise<Snapshot>
  saveCheck(check: CheckRecord): Promise<void>
  /** Replaces everything in one transaction. */
  saveIndex(index: IndexRecord, buckets: readonly Bucket[], check: CheckRecord): Promise<void>
  /** Notes that the index is the newest; one the storage would not take is offered to it again. */
  confirm(check: CheckRecord): Promise<void>
  /** False while the storage cannot be read, or this tab has something it would not take. */
  isSaved(): boolean
}

export function createIndexStore({ storage, now, timer, onProblem }: Environment): IndexStore {
  let unsavedIndex: { readonly record: IndexRecord; readonly buckets: readonly Bucket[] } | null = null
  let unsavedCheck: CheckRecord | null = null
  /** In a row. */
  let failedReads = 0
  let isWritable = true
  /** Identity of a stored index that was found damaged. */
  let corrupt: string | null = null

  /** A storage that was silent twice is hardly waited for until it answers. */
  const limit = (ms: number): number => (failedReads > 1 ? SILENT_LIMIT_MS : ms)
  const identity = (record: IndexRecord): string => `${record.generated} ${record.savedAt}`

  async function readStorage(buckets: readonly number[]): Promise<Snapshot> {
    try {
      const reading = storage.getMany([INDEX_KEY, CHECK_KEY, ...buckets.map(bucketKey)])
      const onAnswer = () => {
        failedReads = 0
      }
      // An answer that is too late for this read still shows that the storage is slow, and not silent.
      reading.then(onAnswer, () => {})
      return parse(buckets, await withTimeLimit(timer, limit(READ_LIMIT_MS), 'Reading the stored index', reading))
    } catch (cause) {
      failedReads++
      onProblem({ kind: 'read', cause })
      return { index: null, check: NO_CHECK, buckets: new Map() }
    }
  }

  function parse(ids: readonly number[], [index, storedCheck, ...stored]: unknown[]): Snapshot {
    const isCheck = v.is(CheckRecordSchema, storedCheck)
    if (!isCheck && storedCheck !== undefined) onProblem({ kind: 'corrupt' })
    const check = isCheck ? storedCheck : NO_CHECK
    const empty = { index: null, check, buckets: new Map() }
    if (index === undefined) return empty
    if (!v.is(IndexRecordSchema, index)) {
      onProblem({ kind: 'corrupt' })
      return empty
    }
    if (identity(index) === corrupt) return empty
    const buckets = v.safeParse(v.array(BucketSchema), stored)
    if (!buckets.success) {
      // Other buckets may be whole, but an index with holes would hide plugins until the next refresh.
      corrupt = identity(index)
      onProblem({ kind: 'corrupt', cause: new v.ValiError(buckets.issues) })
      return empty
    }
    return { index, check, buckets: new Map(ids.map((id, at) => [id, buckets.output[at]!])) }
  }

  /** Adds what is unsaved, and lets go of it once the storage is seen to have the same or better. */
  function merge(stored: Snapshot, ids: readonly number[]): Snapshot {
    if (unsavedIndex && stored.index && stored.index.generated >= unsavedIndex.record.generated) unsavedIndex = null
    if (unsavedCheck && lastAttemptAt(stored.check) > lastAttemptAt(unsavedCheck)) unsavedCheck = null
    const check = unsavedCheck ?? stored.check
    if (unsavedIndex === null) return { ...stored, check }
    const { record, buckets } = unsavedIndex
    return { index: record, check, buckets: new Map(ids.map((id) => [id, buckets[id]!])) }
  }

  /** An attempt dated ahead of the clock counts as the oldest: the clock was set back since. */
  function lastAttemptAt({ attemptedAt }: CheckRecord): number {
    return attemptedAt === null || attemptedAt > now() + CLOCK_SKEW_MS ? Number.NEGATIVE_INFINITY : attemptedAt
  }

  async function write(entries: (readonly [string, unknown])[]): Promise<boolean> {
    try {
      await withTimeLimit(timer, limit(WRITE_LIMIT_MS), 'Storing the index', storage.setMany(entries))
      isWritable = true
    } catch (cause) {
      isWritable = false
      onProblem({ kind: 'write', cause })
    }
    return isWritable
  }

  async function saveCheck(check: CheckRecord): Promise<void> {
    unsavedCheck = check
    if ((await write([[CHECK_KEY, check]])) && unsavedCheck === check) unsavedCheck = null
  }

  async function saveIndex(record: IndexRecord, buckets: readonly Bucket[], check: CheckRecord): Promise<void> {
    const unsaved = { record, buckets }
    unsavedIndex = unsaved
    unsavedCheck = check
    const entries = buckets.map((bucket, id) => [bucketKey(id), bucket] as const)
    const isWritten = await write([[INDEX_KEY, record], [CHECK_KEY, check], ...entries])
    // A storage that cannot be read may not give back what it took.
    if (!isWritten || failedReads > 0) return
    if (unsavedIndex === unsaved) unsavedIndex = null
    if (unsavedCheck === check) unsavedCheck = null
  }

  return {
    read: async (ids = []) => merge(await readStorage(ids), ids),
    saveCheck,
    saveIndex,
    confirm: (check) =>
      unsavedIndex === null ? saveCheck(check) : saveIndex(unsavedIndex.record, unsavedIndex.buckets, check),
    isSaved: () => failedReads === 0 && (isWritable || (unsavedIndex === null && unsavedCheck === null)),
  }
}
