import * as v from 'valibot'

const Instant = v.pipe(v.number(), v.finite())

/** What is known of the records as a whole; the first line of their file. Times are ms since 1970. */
const FactsSchema = v.object({
  format: v.literal(1),
  /** Address of the directory they are from. */
  directory: v.string(),
  /** When it was last read whole which passed. */
  loadedAt: v.nullable(Instant),
  /** Whether it said then what passed. */
  verifiable: v.boolean(),
  /** When every record was downloaded. */
  downloadedAt: v.nullable(Instant),
  /** Where a download stopped, and when. */
  stopped: v.nullable(v.object({ page: v.pipe(v.number(), v.integer(), v.minValue(1)), at: Instant })),
})
export type Facts = v.InferOutput<typeof FactsSchema>

export const noFacts = (directory: string): Facts => ({
  format: 1,
  directory,
  loadedAt: null,
  verifiable: true,
  downloadedAt: null,
  stopped: null,
})

/** @returns null when the line is not one of ours, or is of another directory */
export function readFacts(line: string, directory: string): Facts | null {
  try {
    const parsed = v.safeParse(FactsSchema, JSON.parse(line))
    return parsed.success && parsed.output.directory === directory ? parsed.output : null
  } catch {
    return null
  }
}
