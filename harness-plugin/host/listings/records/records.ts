import type { IndexListing } from '@plugmark/shared/contract'
import type { StoreListing } from '../../../bridge/index.ts'
import { type KnownRecord, rowOfIndex, toListing } from '../row.ts'
import { createColumn } from './column.ts'
import { type Facts, noFacts, readFacts } from './facts.ts'
import type { LinePlace } from './file.ts'
import { createKeptLines } from './kept-lines.ts'
import { type LineStart, readListing, readRecord, readStart, writeLine } from './line.ts'
import { nameHash } from './name-hash.ts'

/** More stars than anything has. */
const PASSED = 1e15
/** Less than a star: it tells what waits for approval, and orders nothing. */
const WAITS = 0.5

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
  /** Those that were kept come in order: what passed first, by stars, then the others, then those without a record. */
  numbers(): Iterable<readonly [key: string, number: number]>
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
  /** Notes facts, and writes all that is new. A failure is told to `onProblem`, and all goes on from memory. */
  save(facts?: Partial<Facts>): Promise<void>
  /** A listing as another process can take it over; null for one that is not here. */
  line(key: string): (LineFacts & { readonly text: Buffer }) | null
  /** Takes over what another process knows of a listing. @returns its number */
  adopt(key: string, facts: LineFacts, line: string | LinePlace): number
  adoptFacts(facts: Facts): void
  /** Another process has written the file: all is there but what came here meanwhile. A failure is told. */
  reload(): Promise<void>
  /** Saves what is new, and ends the use of the file. */
  close(): Promise<void>
}

/** What of a listing is in memory. */
export interface LineFacts {
  /** It orders listings: 0 without a record, else by stars, those that passed above all others. */
  readonly rank: number
  /** Hash of the name it is published under. */
  readonly name: number
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
  const numbers = new Map<string, number>()
  const ranks = createColumn()
  const names = createColumn()
  const lines = createKeptLines(path)
  let next = 0
  let size = 0
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
        const start = isOurs ? readStart(text) : null
        if (start === null) return null
        const known = numbers.get(start.key)
        return known !== undefined && lines.isFresh(known) ? known : note(start)
      })
      .catch((cause) => onProblem('The kept listings cannot be read.', cause))
  }

  function numbered(key: string): number {
    const known = numbers.get(key)
    if (known !== undefined) return known
    numbers.set(key, next)
    return next++
  }

  function note({ key, stars, verdict, name }: LineStart): number {
    const more = verdict === 'passed' ? PASSED : verdict === 'needs-approval' ? WAITS : 0
    return rank(key, stars === null ? 0 : 1 + stars + more, nameHash(name))
  }

  function rank(key: string, value: number, name: number): number {
    const number = numbered(key)
    size += (value > 0 ? 1 : 0) - (ranks.at(number) > 0 ? 1 : 0)
    ranks.set(number, value)
    names.set(number, name)
    return number
  }

  function put(key: string, listing: StoreListing, known: KnownRecord | null): Put {
    const stars = known?.record.stars ?? null
    const number = note({ key, stars, verdict: known?.verdict ?? null, name: listing.npmPackage ?? '' })
    const text = writeLine(key, listing, known)
    const isNews = !lines.get(number)?.equals(Buffer.from(text))
    if (isNews) {
      lines.set(number, text)
      onChange(key)
    }
    return { number, isNews }
  }

  /** To keep them in order is to have them so at a start, without the work and the memory of it. */
  const inOrder = () => [...numbers.values()].sort((a, b) => ranks.at(b) - ranks.at(a))

  async function save(news: Partial<Facts> = {}): Promise<void> {
    facts = { ...facts, ...news }
    if (Object.keys(news).length > 0) isChanged = true
    saving = saving.then(async () => {
      if (path === null || (!isChanged && !lines.isChanged)) return
      isChanged = false
      await lines.write(`${JSON.stringify(facts)}\n`, inOrder()).catch((cause) => {
        isChanged = true
        onProblem('The listings cannot be kept; the store goes on from memory.', cause)
      })
    })
    await saving
  }

  return {
    get facts() {
      return facts
    },
    get size() {
      return size
    },
    numberOf: (key) => numbers.get(key),
    numbers: () => numbers,
    hasPassed: (number) => ranks.at(number) > PASSED,
    waits: (number) => ranks.at(number) % 1 === WAITS,
    hasRecord: (number) => ranks.at(number) > 0,
    record(number) {
      const line = ranks.at(number) > 0 ? lines.get(number) : null
      return line && readRecord(line)
    },
    listing(number) {
      const line = lines.get(number)
      return line && readListing(line)
    },
    published(name) {
      const hash = nameHash(name)
      const found: StoreListing[] = []
      for (const number of numbers.values()) {
        const line = names.at(number) === hash ? lines.get(number) : null
        const listing = line && readListing(line)
        if (listing?.npmPackage === name) found.push(listing)
      }
      return found
    },
    putRecord: (key, known) => put(key, toListing(known, { cli }), known),
    putIndexRow(key, row) {
      const number = numbers.get(key)
      if (number !== undefined && ranks.at(number) > 0) return { number, isNews: false }
      return put(key, rowOfIndex(row, { cli }), null)
    },
    delete(key) {
      const number = numbers.get(key)
      if (number === undefined) return
      rank(key, 0, 0)
      numbers.delete(key)
      lines.delete(number)
      onChange(key)
    },
    save,
    line(key) {
      const number = numbers.get(key)
      const text = number === undefined ? null : lines.get(number)
      return number === undefined || text === null ? null : { rank: ranks.at(number), name: names.at(number), text }
    },
    adopt(key, known, line) {
      const number = rank(key, known.rank, known.name)
      if (typeof line === 'string') lines.set(number, line)
      else lines.adopt(number, line)
      return number
    },
    adoptFacts(adopted) {
      facts = adopted
    },
    reload: read,
    async close() {
      await save()
      lines.close()
    },
  }
}
