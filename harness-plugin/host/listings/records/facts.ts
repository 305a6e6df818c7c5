import * as v from 'valibot'

const Instant = v.pipe(v.number(), v.finite())

/**
 * What is known of the records as a whole: the first line of their file, and of what was added to it each time. Times are
 * ms since 1970.
 */
const FactsSchema = v.object({
  format: v.literal(5),
  /** Address of the directory they are from. */
  directory: v.string(),
  /** Program that install commands name. */
  cli: v.string(),
  /** When it was last read whole which passed. */
  loadedAt: v.nullable(Instant),
  /** `generated` of the index whose rows are here; null when some may be missing. */
  generated: v.nullable(v.string()),
  /** Whether it said then what passed. */
  verifiable: v.boolean(),
  /** When every record was downloaded. */
  downloadedAt: v.nullable(Instant),
  /** Where a download stopped, and when. */
  stopped: v.nullable(v.object({ page: v.pipe(v.number(), v.integer(), v.minValue(1)), at: Instant })),
})
export type Facts = v.InferOutput<typeof FactsSchema>

export const noFacts = (of: Pick<Facts, 'directory' | 'cli'>): Facts => ({
  format: 5,
  ...of,
  loadedAt: null,
  generated: null,
  verifiable: true,
  downloadedAt: null,
  stopped: null,
})

/** @returns null when the line is not one of ours, or is of another directory or program */
export function readFacts(line: string, { directory, cli }: Pick<Facts, 'directory' | 'cli'>): Facts | null {
  try {
    const parsed = v.safeParse(FactsSchema, JSON.parse(line))
    const facts = parsed.success ? parsed.output : null
    return facts?.directory === directory && facts.cli === cli ? facts : null
  } catch {
    return null
  }
}
