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

/** @returns null when this is not how a line begins */
export function readStart(text: string): (Rank & { readonly key: string }) | null {
  const [, key, stars, passed] = /^([^\s]+)\t(\d+)\t([01])\t\{/.exec(text) ?? []
  return key === undefined ? null : { key, stars: Number(stars), passed: passed === '1' }
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
