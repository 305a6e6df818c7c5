import { isDeepStrictEqual } from 'node:util'
import {
  INDEX_FRESH_MS,
  type IndexListing,
  listingKey,
  type PluginRecord,
  repositoryKey,
  VERDICTS,
  type Verdict,
  verdictOf,
} from '@plugmark/shared/contract'
import type { IndexCache } from '@plugmark/shared/index-cache'
import {
  bindInstall,
  type InstallResult,
  type NotInstallableReason,
  renderInstall,
  specKey,
} from '@plugmark/shared/install'
import * as v from 'valibot'
import type { ListingDetails, StoreListing } from '../../protocol/index.ts'
import type { OnProblem } from '../../protocol/problems.ts'
import { NewerFile, read, TimeSchema, underLock, write } from '../json-file.ts'
import type { ReadVerdicts } from './directory.ts'
import { versionOf } from './stored-copy.ts'

// One listing

const text = v.string()
const nullableText = v.nullable(text)
const optionalText = v.optional(nullableText)
/**
 * The fields of a plugin record that the store uses and keeps. Their content was validated when the directory sent it,
 * which takes seconds for 20,000 records.
 */
const ListedRecordSchema = v.object({
  fullName: text,
  summary: nullableText,
  summaryZh: nullableText,
  category: nullableText,
  stars: v.number(),
  license: nullableText,
  language: optionalText,
  npmPackage: nullableText,
  install: nullableText,
  installOptions: v.array(v.object({ label: text, cmd: text, note: text })),
  installCheckedAt: optionalText,
  blockedBuilds: v.optional(v.nullable(v.array(text))),
  riskFlags: v.array(text),
  pushedAt: optionalText,
  repoUrl: text,
  url: text,
})
export type ListedRecord = Readonly<v.InferOutput<typeof ListedRecordSchema>>

/** A record that the directory sent, and its verdict: its own, or that of the server's filter. */
export interface KnownRecord {
  readonly record: ListedRecord
  readonly verdict: Verdict | null
}

/** A listing as far as it is known: its row of the index, its record, or both. */
export interface Known {
  readonly indexed: IndexListing | null
  readonly known: KnownRecord | null
}

/**
 * Creates the row of a listing. Its install command is parsed when it is first asked for: a search reads every row, and
 * the commands of the few that it finds.
 */
export function toRow({ indexed, known }: Known, cli: string): StoreListing {
  const record = known?.record
  const listing = record ?? indexed!
  let parsed: InstallResult | undefined
  const bound = () => (parsed ??= bindInstall(listing, { cli }))
  return {
    id: listing.fullName,
    described: record !== undefined,
    summary: record?.summary ?? null,
    summaryZh: record?.summaryZh ?? null,
    category: listing.category,
    stars: record?.stars ?? null,
    license: record?.license ?? null,
    language: record?.language ?? null,
    npmPackage: packageOf({ indexed, known }),
    riskFlags: record ? [...new Set(record.riskFlags)] : [],
    blockedBuilds: record?.blockedBuilds ?? [],
    verdict: known?.verdict ?? null,
    checkedAt: record?.installCheckedAt ?? null,
    pushedAt: record?.pushedAt ?? null,
    get specKey() {
      const install = bound()
      return install.ok ? specKey(install.plan.spec) : null
    },
    get installable() {
      return bound().ok
    },
    repoUrl: record?.repoUrl ?? null,
  }
}

/** Returns the package that a listing is published as; null when it is not. */
export const packageOf = ({ indexed, known }: Known): string | null =>
  known ? known.record.npmPackage : (indexed?.npm ?? null)

/** Returns true if two keys are of different listings of the same repository. */
const areSiblings = (key: string, other: string): boolean =>
  key !== other && repositoryKey(key) === repositoryKey(other)

interface DetailsOptions {
  readonly cli: string
  readonly profile: string
  /** Address of the directory. */
  readonly baseUrl: string
  readonly siblings: readonly string[]
}

/** Creates the details of a listing: its row, its commands for one profile, and its page. */
export function toDetails(listing: Known, { siblings, baseUrl, cli, profile }: DetailsOptions): ListingDetails {
  const record = listing.known?.record
  const commandOf = (part: unknown): { command: string | null; reason: NotInstallableReason | null } => {
    const bound = bindInstall(part, { cli })
    if (!bound.ok) return { command: null, reason: bound.reason }
    const command = renderInstall(bound.plan, { profile })
    return { command, reason: command === null ? 'bad-profile' : null }
  }
  return {
    ...toRow(listing, cli),
    ...commandOf(record ?? listing.indexed),
    siblings,
    // The record of a listing without a page has the address of its repository here.
    page: record && isSameOrigin(record.url, baseUrl) ? record.url : null,
    options: (record?.installOptions ?? []).map(({ label, note, cmd }) => ({
      label,
      note,
      command: commandOf({ ...record, install: cmd }).command,
    })),
  }
}

const isSameOrigin = (address: string, other: string): boolean =>
  URL.canParse(address) && new URL(address).origin === new URL(other).origin

// All listings, and their file

/** Delay of a save, so that records of several requests are saved together. */
const SAVE_AFTER_MS = 30_000

const FactsSchema = v.object({
  /** Time of the last reading of the verdicts, ms since 1970. */
  loadedAt: v.nullable(TimeSchema),
  /** True when the directory states which listings passed. */
  verifiable: v.boolean(),
  /** `generated` of the index that the records were last merged with. */
  generated: v.nullable(v.string()),
})
/** Facts about the records as a whole. */
type Facts = Readonly<v.InferOutput<typeof FactsSchema>>
const NO_FACTS: Facts = { loadedAt: null, verifiable: true, generated: null }

const RecordSchema = v.object({
  record: ListedRecordSchema,
  /** Its own verdict, or that of the server's filter. */
  verdict: v.nullable(v.picklist(VERDICTS)),
  /** Time when it was last received, ms since 1970. */
  seenAt: TimeSchema,
})
type SeenRecord = Readonly<v.InferOutput<typeof RecordSchema>>
const FileSchema = v.object({ facts: FactsSchema, records: v.array(RecordSchema) })
type File = Readonly<v.InferOutput<typeof FileSchema>>
/** Stored listings. The number of a format is increased when it changes; a file of an older one is replaced. */
const LISTINGS = { schema: FileSchema, version: 4 }

interface Entry extends Known {
  /** Grows with each change of the row. */
  readonly position: number
  readonly known: SeenRecord | null
}

/**
 * The listings of a directory by folded `fullName`, in the order of their last change: a page that continues from its
 * last position gets the rows that are new or changed since. Their records are in one file that several processes share.
 */
export class Listings {
  readonly #path: string | null
  readonly #cli: string
  readonly #now: () => number
  readonly #onProblem: OnProblem

  readonly #entries = new Map<string, Entry>()
  #end = 0
  #revision = 0
  #described = 0
  #indexGenerated: string | null = null

  #facts = NO_FACTS
  #hasUnsavedFacts = false
  /** Times when records changed or were removed and not yet saved, ms since 1970. */
  #unsaved = new Map<string, number>()
  /** Version of the file when it was last read or written here. */
  #readVersion: string | null = null
  #timer: NodeJS.Timeout | null = null
  /** Resolves when the file is neither read nor written. */
  #queue: Promise<void> = Promise.resolve()

  /**
   * @param options.path path of the file, whose folder is created if it is missing; null for memory alone. A file that
   *   is damaged or has an older format is ignored, and replaced by the next save.
   * @param options.cli program that install commands name
   * @param options.onProblem called with the reason why the file is not read or written, for a log
   */
  constructor(options: { path: string | null; cli: string; now: () => number; onProblem: OnProblem }) {
    this.#path = options.path
    this.#cli = options.cli
    this.#now = options.now
    this.#onProblem = options.onProblem
  }

  // Reading

  /** Changes when rows were removed. */
  get revision() {
    return this.#revision
  }
  /** The position after the last row. */
  get end() {
    return this.#end
  }
  get count() {
    return this.#entries.size
  }
  /** Number of listings whose record is known. */
  get described() {
    return this.#described
  }
  /** `generated` of the merged index; null when none was merged, or some rows may be missing. */
  get indexGenerated() {
    return this.#indexGenerated
  }
  get facts() {
    return this.#facts
  }

  get(key: string): Known | null {
    return this.#entries.get(key) ?? null
  }
  row(key: string): StoreListing | null {
    const entry = this.#entries.get(key)
    return entry ? toRow(entry, this.#cli) : null
  }
  /** Returns every row, in the order of their last change. */
  rows(): StoreListing[] {
    return Array.from(this.#entries.values(), (entry) => toRow(entry, this.#cli))
  }
  /** @returns at most `limit` rows from this position on, and the position to ask for next */
  page(from: number, limit: number): { readonly rows: readonly StoreListing[]; readonly next: number } {
    const rows: StoreListing[] = []
    for (const entry of this.#entries.values()) {
      if (entry.position < from) continue
      if (rows.length === limit) return { rows, next: entry.position }
      rows.push(toRow(entry, this.#cli))
    }
    return { rows, next: this.#end }
  }
  /** Returns the ids of the listings that are published under this name. */
  published(name: string): string[] {
    return this.#idsWhere((entry) => packageOf(entry) === name)
  }
  /** Returns the ids of the other listings of the same repository. */
  siblings(key: string): string[] {
    return this.#idsWhere((_, other) => areSiblings(key, other))
  }

  #keysWhere(isWanted: (entry: Entry, key: string) => boolean): string[] {
    return [...this.#entries].flatMap(([key, entry]) => (isWanted(entry, key) ? key : []))
  }
  #idsWhere(isWanted: (entry: Entry, key: string) => boolean): string[] {
    return this.#keysWhere(isWanted).map((key) => this.row(key)!.id)
  }

  /** Returns true if the file has every record that is known here. */
  async isStored(): Promise<boolean> {
    if (this.#path === null || this.#hasUnsavedFacts || this.#unsaved.size > 0) return false
    return this.#readVersion !== null && (await versionOf(this.#path)) === this.#readVersion
  }

  // Changing

  /** Changes an entry, and deletes it when it has neither an index row nor a record. */
  #set(key: string, change: Partial<Known & Pick<Entry, 'known'>>): void {
    const before = this.#entries.get(key)
    const { indexed = null, known = null, position = this.#end } = before ?? {}
    const entry: Entry = { indexed, known, position, ...change }
    this.#described += Number(entry.known !== null) - Number(known !== null)
    const isSameRow =
      before && (entry.known ? isSameRecord(known, entry.known) : !known && isDeepStrictEqual(indexed, entry.indexed))
    if (isSameRow) this.#entries.set(key, entry)
    else {
      this.#entries.delete(key)
      if (entry.known || entry.indexed) this.#entries.set(key, { ...entry, position: this.#end++ })
      else if (before) this.#revision++
    }
  }

  /** Keeps a record that the directory sent. */
  upsert(record: PluginRecord, verdict: Verdict | null): void {
    const key = listingKey(record.fullName)
    const known = { record: v.parse(ListedRecordSchema, record), verdict, seenAt: this.#now() }
    if (!isSameRecord(this.#entries.get(key)?.known, known)) this.#unsaved.set(key, this.#now())
    this.#set(key, { known })
  }
  /** Keeps a record from an answer that has no verdicts except those in the records themselves. */
  upsertPartial(record: PluginRecord): void {
    const known = this.#entries.get(listingKey(record.fullName))?.known
    // A record without a verdict keeps the verdict that the server's filter gave.
    const before = record.installCheck === undefined ? known?.verdict : undefined
    this.upsert(record, before ?? verdictOf(record))
  }
  #remove(key: string): void {
    if (this.#entries.get(key)?.known) this.#unsaved.set(key, this.#now())
    this.#set(key, { known: null })
  }
  /** Removes the records of listings that passed or waited for approval before and no longer do. */
  applyVerdicts({ passed, waiting }: Pick<ReadVerdicts, 'passed' | 'waiting'>): void {
    const isWithdrawn = ({ known }: Entry, key: string) =>
      (known?.verdict === 'passed' && !passed.has(key)) ||
      (known?.verdict === 'needs-approval' && waiting !== null && !waiting.has(key))
    for (const key of this.#keysWhere(isWithdrawn)) this.#remove(key)
  }

  /**
   * Replaces the index rows. Removes listings that the index no longer has, except those whose records arrived too
   * recently for the index to contain them. An index that was replaced meanwhile is merged with the next reading.
   */
  async mergeIndex(index: Pick<IndexCache, 'eachRepository'>): Promise<void> {
    const listed = new Map<string, IndexListing>()
    this.#indexGenerated = null
    const generated = await index.eachRepository((_, listings) => {
      for (const listing of listings) listed.set(listingKey(listing.fullName), listing)
    })
    if (generated === null) return
    for (const [key, indexed] of listed) this.#set(key, { indexed })
    this.#indexGenerated = generated
    const isRecent = (at: number) => at <= this.#now() && this.#now() - at < INDEX_FRESH_MS
    for (const key of this.#keysWhere((_, key) => !listed.has(key))) {
      this.#set(key, { indexed: null })
      if (generated !== this.#facts.generated && !isRecent(this.#entries.get(key)?.known?.seenAt ?? 0))
        this.#remove(key)
    }
    if (generated !== this.#facts.generated) await this.save({ generated })
  }

  // The file

  /** Reads the changes that another process has stored since the last reading. Never rejects. */
  async reload(): Promise<void> {
    const path = this.#path
    if (path !== null) await this.#inTurn(() => this.#read(path))
  }
  async #read(path: string): Promise<void> {
    try {
      const version = await versionOf(path)
      if (version === this.#readVersion) return
      const stored = await read(path, LISTINGS)
      // A save must not replace a newer file.
      if (stored.state === 'newer') return
      this.#readVersion = version
      if (stored.state === 'read') this.#applyStored(stored.value)
      if (stored.state === 'broken') throw stored.cause
    } catch (cause) {
      this.#onProblem('listings-unreadable', cause)
    }
  }

  /** Updates facts and saves changes. Reports a failure and continues from memory. Never rejects. */
  async save(change: Partial<Facts> = {}): Promise<void> {
    this.#facts = { ...this.#facts, ...change }
    this.#hasUnsavedFacts ||= Object.keys(change).length > 0
    const path = this.#path
    if (path !== null) await this.#inTurn(() => this.#write(path))
  }
  async #write(path: string): Promise<void> {
    if (!this.#hasUnsavedFacts && this.#unsaved.size === 0) return
    let saved = new Map<string, number>()
    const change = async () => {
      if ((await versionOf(path)) !== this.#readVersion) {
        const stored = await read(path, LISTINGS)
        if (stored.state === 'newer') throw new NewerFile(path, stored.version)
        if (stored.state === 'read') this.#applyStored(stored.value)
      }
      saved = this.#unsaved
      this.#unsaved = new Map()
      this.#hasUnsavedFacts = false
      const records = [...this.#entries.values()].flatMap(({ known }) => known ?? [])
      const file: File = { facts: this.#facts, records: records.toSorted(byVerdictAndStars) }
      await write(path, { version: LISTINGS.version, ...file })
      this.#readVersion = await versionOf(path)
    }
    try {
      await underLock(path, change, { createsFolders: true })
    } catch (cause) {
      this.#unsaved = new Map([...saved, ...this.#unsaved])
      this.#hasUnsavedFacts = true
      this.#onProblem('listings-unsaved', cause)
    }
  }
  /** Reads or writes the file after those before: a reading during a save would apply what the save replaces. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#queue = this.#queue.then(work)
    return this.#queue
  }
  /** Saves after a delay. */
  saveSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      void this.save()
    }, SAVE_AFTER_MS).unref()
  }
  /** Saves changes. */
  async close(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    await this.save()
  }

  /** Replaces records and facts with those that another process stored, except what changed here later. */
  #applyStored({ facts, records }: File): void {
    const stored = new Set<string>()
    for (const known of records) {
      const key = listingKey(known.record.fullName)
      stored.add(key)
      if ((this.#unsaved.get(key) ?? Number.NEGATIVE_INFINITY) >= known.seenAt) continue
      this.#unsaved.delete(key)
      const seenAt = Math.max(known.seenAt, this.#entries.get(key)?.known?.seenAt ?? 0)
      this.#set(key, { known: { ...known, seenAt } })
    }
    for (const key of this.#keysWhere(
      ({ known }, key) => known !== null && !stored.has(key) && !this.#unsaved.has(key),
    ))
      this.#set(key, { known: null })
    if (!this.#hasUnsavedFacts) this.#facts = facts
  }
}

function isSameRecord(one: SeenRecord | null | undefined, other: SeenRecord): boolean {
  return one?.verdict === other.verdict && isDeepStrictEqual(one.record, other.record)
}

const byVerdictAndStars = (a: SeenRecord, b: SeenRecord): number =>
  Number(b.verdict === 'passed') - Number(a.verdict === 'passed') || b.record.stars - a.record.stars
