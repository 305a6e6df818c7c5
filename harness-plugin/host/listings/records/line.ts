import { isVerdict, PluginRecordSchema } from '@plugmark/shared/contract'
import * as v from 'valibot'
import type { KnownRecord } from '../row.ts'

/**
 * One line of the file: key, stars and whether it passed, then the rest as JSON, between tabs. What a start needs of
 * every record stands in front, so that it reads the file without decoding it.
 */
export function writeLine(key: string, { record, verdict }: KnownRecord): string {
  return `${key}\t${record.stars}\t${verdict === 'passed' ? 1 : 0}\t${JSON.stringify({ verdict, record })}\n`
}

export interface Rank {
  readonly stars: number
  readonly passed: boolean
}

const TAB = 9

/** @returns null when this is not how a line begins */
export function readStart(line: Buffer): (Rank & { readonly key: string }) | null {
  const keyEnd = line.indexOf(TAB)
  const starsEnd = line.indexOf(TAB, keyEnd + 1)
  const passedEnd = line.indexOf(TAB, starsEnd + 1)
  if (keyEnd < 1 || starsEnd < 0 || passedEnd < 0) return null
  const stars = line.toString('latin1', keyEnd + 1, starsEnd)
  const passed = line.toString('latin1', starsEnd + 1, passedEnd)
  if (!/^\d{1,15}$/.test(stars) || !/^[01]$/.test(passed)) return null
  // A text of its own: a part of a longer one would keep all of that in memory.
  return { key: line.toString('utf8', 0, keyEnd), stars: Number(stars), passed: passed === '1' }
}

const Body = v.object({
  verdict: v.nullable(v.custom<KnownRecord['verdict'] & string>(isVerdict)),
  record: PluginRecordSchema,
})

/** @returns null for a line that is damaged */
export function readRecord(line: string): KnownRecord | null {
  try {
    const parsed = v.safeParse(Body, JSON.parse(line.slice(line.indexOf('\t{') + 1)))
    return parsed.success ? parsed.output : null
  } catch {
    return null
  }
}
