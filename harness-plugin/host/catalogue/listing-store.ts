import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { WholeNumberSchema } from '@plugmark/shared/contract'
import { processLock, writeFileAtomic } from '@plugmark/shared/file-lock'
import * as v from 'valibot'
import type { OnProblem } from '../../protocol/problems.ts'
import { createListingTable, type ListingTable, type StoredRecord } from './listing-table.ts'

/** Version of the document's format. Increased when the format changes; a document of another version is ignored. */
const SCHEMA = 3
/** Limit of the wait for another process that saves. */
const LOCK_WAIT_MS = 5_000
/** Delay of a save, so that records of several requests are saved together. */
const SAVE_AFTER_MS = 30_000

const FactsSchema = v.object({
  /** Time of the last reading of the verdicts, ms since 1970. */
  loadedAt: v.nullable(WholeNumberSchema),
  /** True when the directory states which listings passed. */
  verifiable: v.boolean(),
  /** `generated` of the index that the records were last merged with. */
  generated: v.nullable(v.string()),
  /** Time when every record had been downloaded, ms since 1970. */
  downloadedAt: v.nullable(WholeNumberSchema),
  /** First page that a stopped download had not read, and the time of the stop, ms since 1970. */
  stopped: v.nullable(v.object({ page: v.pipe(v.number(), v.integer(), v.minValue(1)), at: WholeNumberSchema })),
})
/** Facts about the records as a whole. */
export type Facts = Readonly<v.InferOutput<typeof FactsSchema>>

const NO_FACTS: Facts = { loadedAt: null, verifiable: true, generated: null, downloadedAt: null, stopped: null }

/**
 * First line of the document. The second line lists key, verdict, time and stars of every record, and each of the other
 * lines is one record as it was parsed when the directory sent it.
 */
const HeadSchema = v.object({
  schema: v.literal(SCHEMA),
  /** SHA-256 of the other lines, to detect damage: parsing each record again would take seconds. */
  checksum: v.string(),
  facts: FactsSchema,
})

/** The listings in memory, and their records in one document of JSON lines that several processes may share. */
export interface ListingStore {
  readonly table: ListingTable
  readonly facts: Facts
  /** Reads the changes that another process has stored since the last reading. Never rejects. */
  reload(): Promise<void>
  /** Updates facts and saves changes. Reports a failure to `onProblem` and continues from memory. Never rejects. */
  save(change?: Partial<Facts>): Promise<void>
  /** Saves after a delay. */
  saveSoon(): void
  /** Saves changes. */
  close(): Promise<void>
}

/**
 * @param options.path path of the document, whose folder is created if it is missing; null for memory alone. A document
 *   that is damaged or has another format is ignored.
 * @param options.cli program that install commands name
 * @param options.onProblem called with the reason why the document is not read or written, for a log
 */
export function createListingStore(options: {
  readonly path: string | null
  readonly cli: string
  readonly now: () => number
  readonly onProblem: OnProblem
}): ListingStore {
  const { path, onProblem } = options
  const table = createListingTable(options)
  const lock = path === null ? null : processLock({ path })
  let facts = NO_FACTS
  let hasUnsavedFacts = false
  /** Version of the document when this process last read or wrote it. */
  let version: string | null = null
  let lastAccess: Promise<unknown> = Promise.resolve()
  let timer: NodeJS.Timeout | null = null

  /** Runs accesses to the document one after another. */
  function inTurn<T>(access: () => Promise<T>): Promise<T> {
    const turn = lastAccess.then(access)
    lastAccess = turn.catch(() => {})
    return turn
  }

  async function readChanges(from: string): Promise<void> {
    try {
      const current = await versionOf(from)
      if (current === version) return
      version = current
      if (current === null) return
      const stored = parseDocument(await readFile(from))
      table.applyRemote(stored.records)
      facts = newest(facts, stored.facts)
    } catch (cause) {
      onProblem('listings-unreadable', cause)
    }
  }

  async function write(to: string): Promise<void> {
    await readChanges(to)
    const { records, restore } = table.takeUnsaved()
    hasUnsavedFacts = false
    try {
      await writeFileAtomic(to, renderDocument(facts, records))
      version = await versionOf(to)
    } catch (cause) {
      restore()
      hasUnsavedFacts = true
      throw cause
    }
  }

  async function save(change: Partial<Facts> = {}): Promise<void> {
    facts = { ...facts, ...change }
    hasUnsavedFacts ||= Object.keys(change).length > 0
    if (path === null || lock === null) return
    await inTurn(async () => {
      if (!hasUnsavedFacts && !table.hasUnsaved) return
      const turn = await lock.run(LOCK_WAIT_MS, () => write(path))
      if (!turn.held) throw new Error(`Another process has held the lock of ${path} for long.`)
    }).catch((cause) => onProblem('listings-unsaved', cause))
  }

  function stopTimer() {
    if (timer) clearTimeout(timer)
    timer = null
  }

  return {
    table,
    get facts() {
      return facts
    },
    async reload() {
      if (path !== null) await inTurn(() => readChanges(path))
    },
    save,
    saveSoon() {
      timer ??= setTimeout(() => {
        stopTimer()
        void save()
      }, SAVE_AFTER_MS).unref()
    },
    async close() {
      stopTimer()
      await save()
    },
  }
}

/** Returns the newer value of each fact of two processes. */
function newest(ours: Facts, theirs: Facts): Facts {
  const { loadedAt, verifiable } = isLater(theirs.loadedAt, ours.loadedAt) ? theirs : ours
  return {
    loadedAt,
    verifiable,
    generated: isLater(theirs.generated, ours.generated) ? theirs.generated : ours.generated,
    downloadedAt: isLater(theirs.downloadedAt, ours.downloadedAt) ? theirs.downloadedAt : ours.downloadedAt,
    stopped: isLater(theirs.stopped?.at, ours.stopped?.at) ? theirs.stopped : ours.stopped,
  }
}

function isLater<T extends number | string>(one: T | null | undefined, other: T | null | undefined): boolean {
  return one != null && (other == null || one > other)
}

function renderDocument(facts: Facts, records: readonly StoredRecord[]): Buffer {
  const sorted = records.toSorted(byVerdictAndStars)
  const list = sorted.map(({ key, verdict, seenAt, stars }) => [key, verdict, seenAt, stars])
  const lines = Buffer.from([JSON.stringify(list), ...sorted.map(({ json }) => json)].join('\n'))
  const head = JSON.stringify({ schema: SCHEMA, checksum: checksumOf(lines), facts })
  return Buffer.concat([Buffer.from(`${head}\n`), lines])
}

const checksumOf = (lines: Buffer): string => createHash('sha256').update(lines).digest('hex')

/** @throws when the document is damaged or has another format */
function parseDocument(bytes: Buffer): { facts: Facts; records: readonly StoredRecord[] } {
  const end = bytes.indexOf('\n')
  const { checksum, facts } = parse(HeadSchema, JSON.parse(bytes.toString('utf8', 0, Math.max(0, end))))
  const rest = bytes.subarray(end + 1)
  if (checksumOf(rest) !== checksum) throw new Error('It is damaged: its checksum is another.')
  const [list = '', ...lines] = rest.toString().split('\n')
  const keys: [string, StoredRecord['verdict'], number, number][] = JSON.parse(list)
  const records = keys.map(([key, verdict, seenAt, stars], at) => ({ key, verdict, seenAt, stars, json: lines[at]! }))
  return { facts, records }
}

/** Throws a short error: valibot's own error contains the whole input. */
function parse<S extends v.GenericSchema>(schema: S, value: unknown): v.InferOutput<S> {
  const parsed = v.safeParse(schema, value)
  if (parsed.success) return parsed.output
  throw new Error(`It is damaged, or of another version: ${v.getDotPath(parsed.issues[0]) ?? 'all of it'}.`)
}

const byVerdictAndStars = (a: StoredRecord, b: StoredRecord): number =>
  Number(b.verdict === 'passed') - Number(a.verdict === 'passed') || b.stars - a.stars

/** Returns a value that differs after each write by any process; null when there is no file. */
async function versionOf(path: string): Promise<string | null> {
  try {
    const { ino, mtimeNs, size } = await stat(path, { bigint: true })
    return `${ino} ${mtimeNs} ${size}`
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw cause
  }
}
