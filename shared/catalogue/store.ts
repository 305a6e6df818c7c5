import { allBuckets, isBucket } from './buckets.ts'
import {
  bucketKey,
  CHECK_KEY,
  type CheckRecord,
  COPY_KEY,
  type CopyRecord,
  NO_CHECK,
  readCheckRecord,
  readCopyRecord,
} from './records.ts'
import type { Known } from './state.ts'
import { type Timer, withTimeLimit } from './time-limit.ts'
import { CLOCK_SKEW_MS, READ_LIMIT_MS, SILENT_LIMIT_MS, WRITE_LIMIT_MS } from './timing.ts'
import type { CatalogueProblem, CatalogueStorage } from './types.ts'

/** What one read found. */
export interface Snapshot extends Known {
  /** The texts of the buckets asked for; empty when there is no copy. */
  readonly buckets: ReadonlyMap<number, string>
}

interface Held {
  readonly record: CopyRecord
  readonly texts: readonly string[]
}

/** The copy in the storage, and in memory what the storage would not take. Nothing here rejects. */
export interface CopyStore {
  /** The best there is: copy, check and these buckets, read in one transaction. */
  read(buckets?: readonly number[]): Promise<Snapshot>
  /** Notes how the checks went. */
  saveCheck(check: CheckRecord): Promise<void>
  /** Replaces copy and check in one transaction. */
  saveCopy(record: CopyRecord, texts: readonly string[], check: CheckRecord): Promise<void>
  /** Notes that the copy is the newest; one the storage would not take is offered to it again. */
  confirm(check: CheckRecord): Promise<void>
  /** Takes a copy that turned out damaged for none from now on. */
  distrust(record: CopyRecord, cause: unknown): void
  /** False while the storage cannot be read, or this tab holds something it would not take. */
  isKept(): boolean
}

export function createCopyStore(options: {
  storage: CatalogueStorage
  now: () => number
  timer: Timer
  report: (problem: CatalogueProblem) => void
}): CopyStore {
  const { storage, now, timer, report } = options
  let heldCopy: Held | null = null
  let heldCheck: CheckRecord | null = null
  /** Reads in a row that gave nothing. */
  let misses = 0
  let writable = true
  let damaged: string | null = null

  /** One that was silent twice is hardly waited for, until it answers. */
  const limit = (ms: number): number => (misses > 1 ? SILENT_LIMIT_MS : ms)
  const identity = (record: CopyRecord): string => `${record.generated} ${record.savedAt}`

  async function readStorage(buckets: readonly number[]): Promise<Snapshot> {
    try {
      const keys = [COPY_KEY, CHECK_KEY, ...buckets.map(bucketKey)]
      const reading = storage.getMany(keys)
      const answers = () => {
        misses = 0
      }
      // Also too late for this read: then it is slow, and waited for again.
      reading.then(answers, () => {})
      const values = await withTimeLimit(timer, limit(READ_LIMIT_MS), 'Reading the stored index', reading)
      return parse(buckets, values)
    } catch (cause) {
      misses++
      report({ kind: 'read', cause })
      return { copy: null, check: NO_CHECK, buckets: new Map() }
    }
  }

  function parse(ids: readonly number[], [copyValue, checkValue, ...texts]: unknown[]): Snapshot {
    const check = readCheckRecord(checkValue) ?? NO_CHECK
    if (check === NO_CHECK && checkValue !== undefined) report({ kind: 'corrupt' })
    const nothing = { copy: null, check, buckets: new Map() }

    if (copyValue === undefined) return nothing
    const copy = readCopyRecord(copyValue)
    if (copy === null) {
      report({ kind: 'corrupt' })
      return nothing
    }
    if (identity(copy) === damaged) return nothing

    const buckets = new Map<number, string>()
    for (const [i, id] of ids.entries()) {
      const text = texts[i]
      if (!isBucket(text)) {
        distrust(copy, new TypeError(`${bucketKey(id)} is no bucket`))
        return nothing
      }
      buckets.set(id, text)
    }
    return { copy, check, buckets }
  }

  function distrust(record: CopyRecord, cause: unknown): void {
    damaged = identity(record)
    if (heldCopy?.record === record) heldCopy = null
    report({ kind: 'corrupt', cause })
  }

  /** Lets go of what is held once the storage is seen to have the same or better. */
  function merge(stored: Snapshot, ids: readonly number[]): Snapshot {
    if (heldCopy !== null && stored.copy !== null && stored.copy.generated >= heldCopy.record.generated) heldCopy = null
    if (heldCheck !== null && lastAttempt(stored.check) > lastAttempt(heldCheck)) heldCheck = null
    const check = heldCheck ?? stored.check
    if (heldCopy === null) return { ...stored, check }
    const { record, texts } = heldCopy
    return { copy: record, check, buckets: new Map(ids.map((id) => [id, texts[id]!])) }
  }

  /** When it was made, an attempt dated ahead of the clock counting as the oldest: the clock was set back since. */
  function lastAttempt({ attemptedAt }: CheckRecord): number {
    return attemptedAt === null || attemptedAt > now() + CLOCK_SKEW_MS ? Number.NEGATIVE_INFINITY : attemptedAt
  }

  async function write(entries: (readonly [string, unknown])[]): Promise<boolean> {
    try {
      await withTimeLimit(timer, limit(WRITE_LIMIT_MS), 'Storing the index', storage.setMany(entries))
      writable = true
    } catch (cause) {
      writable = false
      report({ kind: 'write', cause })
    }
    return writable
  }

  async function saveCheck(check: CheckRecord): Promise<void> {
    heldCheck = check
    if ((await write([[CHECK_KEY, check]])) && heldCheck === check) heldCheck = null
  }

  async function saveCopy(record: CopyRecord, texts: readonly string[], check: CheckRecord): Promise<void> {
    const held = { record, texts }
    heldCopy = held
    heldCheck = check
    const entries = allBuckets().map((id) => [bucketKey(id), texts[id]] as const)
    if (!(await write([[COPY_KEY, record], [CHECK_KEY, check], ...entries]))) return
    // This tab would lose what a storage takes and does not give back.
    if (misses > 0) return
    if (heldCopy === held) heldCopy = null
    if (heldCheck === check) heldCheck = null
  }

  return {
    async read(ids = []) {
      return merge(await readStorage(ids), ids)
    },
    saveCheck,
    saveCopy,
    confirm: (check) => (heldCopy === null ? saveCheck(check) : saveCopy(heldCopy.record, heldCopy.texts, check)),
    distrust,
    isKept: () => misses === 0 && (writable || (heldCopy === null && heldCheck === null)),
  }
}
