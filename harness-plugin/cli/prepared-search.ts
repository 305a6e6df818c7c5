/**
 * Keeps what a search reads in one file, beside the stored copy of the directory. It names the version of the copy that it
 * was made from: a copy that was written since, by any process, is searched the long way, and prepared again.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyVersion } from '../host/catalogue/stored-copy.ts'
import type { CatalogueStatus, StoreListing } from '../protocol/index.ts'
import { type Entry, languagesOf } from '../search/entry.ts'
import manifest from './package.json' with { type: 'json' }

/** The format, of the version of this program: another one may fold texts in another way. */
const FORMAT = `${manifest.version} 1`
/** Numbers of an entry in the head: lengths of its text, two ends in it, its category and risks, bytes of its listing. */
const NUMBERS = 6

/** The first line after the checksum. The texts of all entries follow it, and then their listings as JSON. */
interface Head {
  readonly format: string
  readonly copy: string
  readonly status: CatalogueStatus
  /** Size of all texts, in bytes. */
  readonly textBytes: number
  readonly categories: readonly (string | null)[]
  readonly risks: readonly (readonly string[])[]
  readonly numbers: readonly number[]
}

/** The entries of every listing, in the order by stars. */
export interface PreparedSearch {
  readonly status: CatalogueStatus
  readonly entries: readonly Entry[]
}

const pathOf = (folder: string) => join(folder, 'search.txt')

/** Stores what a search reads. @param copy version of the copy with exactly these entries */
export async function writePrepared(folder: string, copy: string, { status, entries }: PreparedSearch): Promise<void> {
  const categories = new Map<string | null, number>()
  const risks = new Map<string, number>()
  const numberOf = <T>(known: Map<T, number>, value: T) => {
    const number = known.get(value) ?? known.size
    known.set(value, number)
    return number
  }
  const listings = entries.map(({ listing }) => Buffer.from(JSON.stringify(listing)))
  const numbers = entries.flatMap(({ text, nameEnd, namesEnd, category, riskFlags }, at) => [
    ...[text.length, nameEnd, namesEnd],
    ...[numberOf(categories, category), numberOf(risks, JSON.stringify(riskFlags)), listings[at]!.length],
  ])
  const text = Buffer.from(entries.map((entry) => entry.text).join(''))
  const head: Head = {
    format: FORMAT,
    copy,
    status,
    textBytes: text.length,
    categories: [...categories.keys()],
    risks: Array.from(risks.keys(), (flags) => JSON.parse(flags)),
    numbers,
  }
  const content = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), text, ...listings])
  // A search that finds a prepared one writes nothing.
  const { writeFileAtomic } = await import('@plugmark/shared/file-lock')
  await writeFileAtomic(pathOf(folder), Buffer.concat([Buffer.from(`${checksumOf(content)}\n`), content]))
}

/** Reads what was prepared of the copy; null when it is missing, damaged, or of another version of copy or program. */
export async function readPrepared(folder: string): Promise<PreparedSearch | null> {
  try {
    const bytes = readFileSync(pathOf(folder))
    const content = bytes.subarray(bytes.indexOf('\n') + 1)
    if (`${checksumOf(content)}\n` !== bytes.toString('utf8', 0, bytes.length - content.length)) return null
    const headEnd = content.indexOf('\n')
    const head: Head = JSON.parse(content.toString('utf8', 0, headEnd))
    if (head.format !== FORMAT || head.copy !== (await copyVersion(folder))) return null
    return { status: head.status, entries: entriesOf(head, content.subarray(headEnd + 1)) }
  } catch {
    // Optional: the copy itself is read.
    return null
  }
}

function entriesOf({ textBytes, categories, risks, numbers }: Head, bytes: Buffer): readonly Entry[] {
  const texts = bytes.toString('utf8', 0, textBytes)
  const entries: Entry[] = []
  let textAt = 0
  let listingAt = textBytes
  for (let at = 0; at < numbers.length; at += NUMBERS) {
    const text = texts.slice(textAt, textAt + numbers[at]!)
    const listing = bytes.subarray(listingAt, listingAt + numbers[at + 5]!)
    textAt += text.length
    listingAt += listing.length
    const ends = { nameEnd: numbers[at + 1]!, namesEnd: numbers[at + 2]! }
    const facts = { category: categories[numbers[at + 3]!]!, riskFlags: risks[numbers[at + 4]!]! }
    entries.push(preparedEntry({ text, ...ends, ...facts }, listing))
  }
  return entries
}

type Facts = Pick<Entry, 'text' | 'nameEnd' | 'namesEnd' | 'category' | 'riskFlags'>

/** Returns an entry whose listing is parsed when it is needed: a search needs those of the entries that it finds. */
function preparedEntry(facts: Facts, json: Buffer): Entry {
  let listing: StoreListing | undefined
  return {
    ...facts,
    values: [],
    profile: null,
    get name() {
      return facts.text.slice(0, facts.nameEnd)
    },
    get languages() {
      return languagesOf(this.listing)
    },
    get listing() {
      listing ??= JSON.parse(json.toString()) as StoreListing
      return listing
    },
  }
}

const checksumOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex')
