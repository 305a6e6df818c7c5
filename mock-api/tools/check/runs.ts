import { appendFile } from 'node:fs/promises'
import { VERDICTS } from '@plugmark/shared/contract'
import * as v from 'valibot'
import { readText } from '../../catalogue/load.ts'

/** An instant in any notation of ISO 8601, as the contract writes it: in UTC with milliseconds. */
export const InstantSchema = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.check((text) => !Number.isNaN(Date.parse(text)), 'a date'),
  v.transform((text) => new Date(text).toISOString()),
)

const RunSchema = v.object({
  /** Install command of the listing, without the name of a profile: the spec that follows `add`. */
  spec: v.string(),
  /** Version or commit that the source had before the run; null when it could not be read. */
  version: v.nullable(v.string()),
  /** Version of the harness. */
  harness: v.string(),
  verdict: v.picklist(VERDICTS),
  /** True if the harness runs what was installed; null when that is unknown. No part of the verdict. */
  runs: v.nullish(v.boolean(), null),
  /** Why it failed: the kind of the failure and what it is about, or the program's own line; else null. */
  reason: v.nullish(v.string(), null),
  /** Instant at which the run started, ISO 8601 in UTC. */
  checkedAt: InstantSchema,
  /** Packages whose build scripts did not run. */
  blockedBuilds: v.array(v.string()),
})

export type Run = v.InferOutput<typeof RunSchema>

/** Key of a run. The same key is not run again once its verdict is decided. */
type RunKey = Pick<Run, 'spec' | 'version' | 'harness'>

/** All runs, in the order in which they ended. */
export interface Runs {
  of(key: RunKey): readonly Run[]
  /** Returns the newest decided run of a spec, under any harness. */
  newest(spec: string): Run | null
  add(run: Run): Promise<void>
}

const keyOf = ({ version, harness }: RunKey) => JSON.stringify([version, harness])
const isFailure = ({ verdict }: Run) => verdict === 'failed' || verdict === 'timeout'

/** Returns the run that decides the verdict. A failure decides only when the run before it failed too. */
export function decidingRun(runs: readonly Run[]): Run | null {
  const [before, last] = [runs.at(-2), runs.at(-1)]
  if (last === undefined) return null
  return !isFailure(last) || (before !== undefined && isFailure(before)) ? last : null
}

/**
 * Reads runs from files with one JSON document on each line, and appends new ones to the first file. Skips lines that are
 * not a run: a killed program leaves half a line.
 */
export async function openRuns(files: readonly [string, ...string[]]): Promise<Runs> {
  const [own] = files
  const texts = await Promise.all(files.map(readIfThere))
  /** Runs by spec, and then by the rest of the key: a catalogue of 20,000 listings asks for each spec. */
  const known = new Map<string, Map<string, Run[]>>()
  const keep = (run: Run) => {
    const ofSpec = getOrInsert(known, run.spec, () => new Map<string, Run[]>())
    getOrInsert(ofSpec, keyOf(run), () => []).push(run)
  }
  for (const line of texts.flatMap((text) => text.split('\n'))) {
    const run = v.safeParse(v.pipe(v.string(), v.parseJson(), RunSchema), line)
    if (run.success) keep(run.output)
  }
  if (texts[0] && !texts[0].endsWith('\n')) await appendFile(own, '\n')
  return {
    of: (key) => known.get(key.spec)?.get(keyOf(key)) ?? [],
    newest(spec) {
      const decided = [...(known.get(spec)?.values() ?? [])].map(decidingRun)
      return decided.reduce((a, b) => (a === null || (b !== null && b.checkedAt > a.checkedAt) ? b : a), null)
    },
    async add(run) {
      await appendFile(own, `${JSON.stringify(run)}\n`)
      keep(run)
    },
  }
}

function getOrInsert<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const value = map.get(key) ?? create()
  map.set(key, value)
  return value
}

async function readIfThere(file: string): Promise<string> {
  try {
    return await readText(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
