import { isVerdict, PluginRecordSchema } from '@plugmark/shared/contract'
import * as v from 'valibot'
import type { StoreListing } from '../../../bridge/index.ts'
import type { KnownRecord } from '../row.ts'

/**
 * A line of the file: key, three facts, the listing as a page gets it, and its record if there is one, between tabs. So a start
 * reads the file without decoding it, and a page is answered without decoding records.
 *
 * The facts are its stars, its verdict, and the name it is published under; the first two are empty for one of which only
 * the index is known.
 */
export function writeLine(key: string, listing: StoreListing, known: KnownRecord | null): string {
  // What is more is written with an exponent, which is no number of a line's.
  const stars = known ? Math.min(known.record.stars, Number.MAX_SAFE_INTEGER) : ''
  const name = listing.npmPackage?.replaceAll(/[\t\n]/g, '') ?? ''
  const record = known ? `\t${JSON.stringify(known)}` : ''
  return `${key}\t${stars}\t${known?.verdict ?? ''}\t${name}\t${JSON.stringify(listing)}${record}\n`
}

/** What a start needs of a line. */
export interface LineStart {
  readonly key: string
  /** Null where there is no record. */
  readonly stars: number | null
  /** As it was written; null for none. */
  readonly verdict: string | null
  readonly name: string
}

const TAB = 9

/** What stands in the file for a listing that is gone, behind its line. */
export const writeGone = (key: string): string => `\t${key}\n`

/** @returns the key; null for another line */
export const readGone = (line: Buffer): string | null => (line[0] === TAB ? line.toString('utf8', 1) : null)

/** @returns null when this is not how a line begins */
export function readStart(line: Buffer): LineStart | null {
  const keyEnd = line.indexOf(TAB)
  const starsEnd = line.indexOf(TAB, keyEnd + 1)
  const verdictEnd = line.indexOf(TAB, starsEnd + 1)
  const nameEnd = line.indexOf(TAB, verdictEnd + 1)
  if (keyEnd < 1 || starsEnd < 0 || verdictEnd < 0 || nameEnd < 0) return null
  const stars = line.toString('latin1', keyEnd + 1, starsEnd)
  if (!/^\d{0,16}$/.test(stars)) return null
  return {
    key: line.toString('utf8', 0, keyEnd),
    stars: stars === '' ? null : Number(stars),
    verdict: line.toString('latin1', starsEnd + 1, verdictEnd) || null,
    name: line.toString('utf8', verdictEnd + 1, nameEnd),
  }
}

const Body = v.object({
  verdict: v.nullable(v.custom<KnownRecord['verdict'] & string>(isVerdict)),
  record: PluginRecordSchema,
})

/** @returns null for a line that is damaged */
export function readRecord(line: Buffer): KnownRecord | null {
  const parsed = v.safeParse(Body, readJson(line, line.lastIndexOf('\t{') + 1, line.length))
  return parsed.success ? parsed.output : null
}

/**
 * It was parsed before this host wrote it, and parsing it again for every page would take more memory than all the rest.
 *
 * @returns null for a line that is damaged
 */
export function readListing(line: Buffer): StoreListing | null {
  const start = line.indexOf('\t{') + 1
  const end = line.indexOf('\t', start)
  return readJson(line, start, end < 0 ? line.length : end) as StoreListing | null
}

function readJson(line: Buffer, start: number, end: number): unknown {
  try {
    return JSON.parse(line.toString('utf8', start, end))
  } catch {
    return null
  }
}
