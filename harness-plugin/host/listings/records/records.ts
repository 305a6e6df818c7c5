import type { KnownRecord } from '../row.ts'
import { type Facts, noFacts, readFacts } from './facts.ts'
import { eachLine, type LineFile, openLines, type Place, replaceLines } from './file.ts'
import { type Rank, readRecord, readStart, writeLine } from './line.ts'

interface Kept extends Rank {
  /** In the file, or, until it is saved, in memory. */
  readonly line: Place | string
}

/** Every record this host has seen, by folded `fullName`: in a file, with the little in memory that orders them. */
export interface Records {
  readonly facts: Facts
  readonly size: number
  has(key: string): boolean
  get(key: string): KnownRecord | null
  /** Keys with what orders them. */
  ranks(): Iterable<readonly [key: string, rank: Rank]>
  /** @returns false when it is here already, just as it is */
  put(key: string, known: KnownRecord): boolean
  delete(key: string): void
  /** Notes facts, and writes all that is new. A failure is told to `onProblem`, and all goes on from memory. */
  save(facts?: Partial<Facts>): Promise<void>
  /** Saves what is new, and ends the use of the file. */
  close(): Promise<void>
}

/**
 * Opens the records of one directory.
 *
 * @param options.path the file; null for memory alone
 * @param options.onProblem told why the file is not read or written, for a log
 */
export async function openRecords({
  path,
  directory,
  onProblem,
}: {
  readonly path: string | null
  readonly directory: string
  readonly onProblem: (message: string, cause: unknown) => void
}): Promise<Records> {
  const kept = new Map<string, Kept>()
  let facts = noFacts(directory)
  let file: LineFile | null = null
  let isChanged = false
  let saving: Promise<void> = Promise.resolve()

  if (path !== null) {
    file = openLines(path)
    if (file !== null) await readAll(path).catch((cause) => onProblem('The kept listings cannot be read.', cause))
  }

  async function readAll(path: string): Promise<void> {
    let isOurs: boolean | null = null
    await eachLine(path, (line, place) => {
      if (isOurs === null) {
        const read = readFacts(line.toString(), directory)
        isOurs = read !== null
        facts = read ?? facts
        return
      }
      const start = isOurs ? readStart(line) : null
      if (start) kept.set(start.key, { stars: start.stars, passed: start.passed, line: place })
    })
  }

  const textOf = ({ line }: Kept): string => (typeof line === 'string' ? line : (file?.read(line) ?? ''))

  async function write(path: string): Promise<void> {
    const entries = [...kept]
    isChanged = false
    const lines = function* () {
      yield `${JSON.stringify(facts)}\n`
      for (const [, entry] of entries) yield textOf(entry)
    }
    const [, ...places] = await replaceLines(path, lines())
    const replaced = file
    file = openLines(path)
    for (const [at, [key, entry]] of entries.entries()) {
      // What changed while it was written stays in memory until the next time.
      if (kept.get(key) === entry) kept.set(key, { ...entry, line: places[at]! })
    }
    replaced?.close()
  }

  async function save(news: Partial<Facts> = {}): Promise<void> {
    facts = { ...facts, ...news }
    if (Object.keys(news).length > 0) isChanged = true
    saving = saving.then(async () => {
      if (path === null || !isChanged) return
      await write(path).catch((cause) => {
        isChanged = true
        onProblem('The listings cannot be kept; this console goes on from memory.', cause)
      })
    })
    await saving
  }

  return {
    get facts() {
      return facts
    },
    get size() {
      return kept.size
    },
    has: (key) => kept.has(key),
    get(key) {
      const entry = kept.get(key)
      return entry === undefined ? null : readRecord(textOf(entry))
    },
    ranks: () => kept,
    put(key, known) {
      const line = writeLine(key, known)
      const before = kept.get(key)
      if (before && textOf(before) === line) return false
      kept.set(key, { stars: known.record.stars, passed: known.verdict === 'passed', line })
      isChanged = true
      return true
    },
    delete(key) {
      if (kept.delete(key)) isChanged = true
    },
    save,
    async close() {
      await save()
      file?.close()
      file = null
    },
  }
}
