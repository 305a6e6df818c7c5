import type { IndexListing } from '@plugmark/shared/contract'
import type { StoreListing } from '../../../bridge/index.ts'
import { type KnownRecord, rowOfIndex, toListing } from '../row.ts'
import { type Facts, noFacts, readFacts } from './facts.ts'
import type { LinePlace } from './file.ts'
import { createKeptLines } from './kept-lines.ts'
import { createKeys, factsOf, type LineFacts } from './keys.ts'
import { readGone, readListing, readRecord, readStart, writeGone, writeLine } from './line.ts'

/**
 * What this host knows of every listing: its record, or, while that was not seen, its row of the index. All of it is in
 * a file; in memory are their keys (folded `fullName`s), each with a number, and by that number what orders them and
 * where their lines are.
 */
export interface Records {
  readonly facts: Facts
  /** Listings whose record is here. */
  readonly size: number
  /** Undefined for a listing that is not here. */
  numberOf(key: string): number | undefined
  numbers(): Iterable<readonly [key: string, number: number]>
  /** What passed first, by stars, then the others, then those without a record. */
  inOrder(): readonly number[]
  hasPassed(number: number): boolean
  /** Whether its verdict is that it needs approval. */
  waits(number: number): boolean
  hasRecord(number: number): boolean
  record(number: number): KnownRecord | null
  listing(number: number): StoreListing | null
  /** Listings that are published under this name. */
  published(name: string): StoreListing[]
  /** @returns its number, and whether it was not here just as it is */
  putRecord(key: string, known: KnownRecord): Put
  /** Changes nothing where a record is here, which says more. */
  putIndexRow(key: string, row: IndexListing): Put
  delete(key: string): void
  /** Notes facts, and writes what is new. A failure is told to `onProblem`, and all goes on from memory. */
  save(facts?: Partial<Facts>): Promise<void>
  /** A listing as another process can take it over; null for one that is not here. */
  line(key: string): (LineFacts & { readonly text: Buffer }) | null
  /** Takes over what another process knows of a listing. @returns its number */
  adopt(key: string, facts: LineFacts, line: string | LinePlace): number
  adoptFacts(facts: Facts): void
  /** Writes the file anew where it was added to: in order, and each listing once. A failure is told likewise. */
  compact(): Promise<void>
  /** Another process has written the file: all is there but what came here meanwhile. A failure is told. */
  reload(): Promise<void>
  /** Saves what is new, and ends the use of the file. */
  close(): Promise<void>
}

export interface Put {
  readonly number: number
  readonly isNews: boolean
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
  cli,
  onProblem,
  onChange = () => {},
}: {
  readonly path: string | null
  readonly directory: string
  /** Program that install commands name. A file is of one directory and one program. */
  readonly cli: string
  readonly onProblem: (message: string, cause: unknown) => void
  /** Told whose line came, changed or went. @default nobody */
  readonly onChange?: (key: string) => void
}): Promise<Records> {
  const keys = createKeys()
  const lines = createKeptLines(path)
  let facts = noFacts({ directory, cli })
  let isChanged = false
  let saving: Promise<void> = Promise.resolve()

  await read()

  async function read(): Promise<void> {
    let isOurs: boolean | null = null
    await lines
      .read((text) => {
        if (isOurs === null) {
          const read = readFacts(text.toString(), { directory, cli })
          isOurs = read !== null
          facts = read ?? facts
          return null
        }
        return isOurs ? take(text) : null
      })
      .catch((cause) => onProblem('The kept listings cannot be read.', cause))
  }

  /** @returns the number of the listing that the line is of; null where it is of none */
  function take(line: Buffer): number | null {
    const start = readStart(line)
    if (start) return freshOne(start.key) ?? keys.set(start.key, factsOf(start))
    const gone = readGone(line)
    if (gone === null) facts = readFacts(line.toString(), { directory, cli }) ?? facts
    else if (freshOne(gone) === null) keys.delete(gone)
    return null
  }

  /** Number of a listing that is in memory as no file has it. */
  function freshOne(key: string): number | null {
    const number = keys.numberOf(key)
    return number !== undefined && lines.isFresh(number) ? number : null
  }

  function put(key: string, listing: StoreListing, known: KnownRecord | null): Put {
    const stars = known?.record.stars ?? null
    const number = keys.set(key, factsOf({ stars, verdict: known?.verdict ?? null, name: listing.npmPackage ?? '' }))
    const text = writeLine(key, listing, known)
    const isNews = !lines.get(number)?.equals(Buffer.from(text))
    if (isNews) {
      lines.set(number, text)
      onChange(key)
    }
    return { number, isNews }
  }

  function listing(number: number): StoreListing | null {
    const line = lines.get(number)
    return line && readListing(line)
  }

  async function save(news: Partial<Facts> = {}): Promise<void> {
    facts = { ...facts, ...news }
    if (Object.keys(news).length > 0) isChanged = true
    await write({ anew: false })
  }

  function write({ anew }: { anew: boolean }): Promise<void> {
    saving = saving.then(async () => {
      const isDue = isChanged || lines.isChanged || (anew && lines.isAddedTo)
      if (path === null || !isDue) return
      isChanged = false
      // In order, a start that puts them in order has little to do.
      await lines.write(`${JSON.stringify(facts)}\n`, keys.inOrder, { anew }).catch((cause) => {
        isChanged = true
        onProblem('The listings cannot be kept; the store goes on from memory.', cause)
      })
    })
    return saving
  }

  return {
    get facts() {
      return facts
    },
    get size() {
      return keys.described
    },
    numberOf: keys.numberOf,
    numbers: keys.all,
    inOrder: keys.inOrder,
    hasPassed: keys.hasPassed,
    waits: keys.waits,
    hasRecord: keys.hasRecord,
    record(number) {
      const line = keys.hasRecord(number) ? lines.get(number) : null
      return line && readRecord(line)
    },
    listing,
    published(name) {
      const named = keys.named(name).map(listing)
      return named.filter((found) => found?.npmPackage === name).filter((found) => found !== null)
    },
    putRecord: (key, known) => put(key, toListing(known, { cli }), known),
    putIndexRow(key, row) {
      const number = keys.numberOf(key)
      if (number !== undefined && keys.hasRecord(number)) return { number, isNews: false }
      return put(key, rowOfIndex(row, { cli }), null)
    },
    delete(key) {
      const number = keys.numberOf(key)
      if (number === undefined) return
      keys.delete(key)
      lines.delete(number, writeGone(key))
      onChange(key)
    },
    save,
    line(key) {
      const number = keys.numberOf(key)
      const text = number === undefined ? null : lines.get(number)
      return number === undefined || text === null ? null : { ...keys.facts(number), text }
    },
    adopt(key, known, line) {
      const number = keys.set(key, known)
      if (typeof line === 'string') lines.set(number, line)
      else lines.adopt(number, line)
      return number
    },
    adoptFacts(adopted) {
      facts = adopted
    },
    compact: () => write({ anew: true }),
    reload: read,
    async close() {
      await save()
      lines.close()
    },
  }
}
