import { type PluginRecord, verdictOf } from '@plugmark/shared/contract'
import type { Connect } from './connect.ts'
import type { KnownRecord } from './row.ts'

export interface PassedReading {
  /** Keys of what is known to have passed. */
  readonly passed: ReadonlySet<string>
  /** Keys of what is known to wait for approval; null where the directory was not asked for just those. */
  readonly waiting: ReadonlySet<string> | null
  /** Whether the directory says at all what passed. One without listings hides nothing. */
  readonly verifiable: boolean
  /** Rows that did not parse. */
  readonly rejected: number
}

/**
 * Reads which listings passed their install check, and which wait for approval. A server that ignores the filter sends
 * all it has, which is how it is told apart from one where nothing passed: no verdict in anything it sent.
 *
 * @param options.onRecord told of every record that came, those that did not pass included
 * @param options.onPage told after each answer
 * @throws DirectoryError
 */
export async function readPassed(
  connect: Connect,
  options: {
    readonly signal: AbortSignal
    readonly onRecord: (known: KnownRecord) => void
    readonly onPage: () => void
  },
): Promise<PassedReading> {
  const passed = new Set<string>()
  /** Where records carry no verdict, the filter tells these too, as it told what passed. */
  const waiting = new Set<string>()
  let pages: (readonly PluginRecord[])[] = []
  let received = 0
  let rejected = 0
  let saysVerdicts = false
  let hasOthers = false

  /** The others of these pages; what passed was told at once. */
  function tellOthers(of: typeof pages) {
    for (const record of of.flat()) {
      const key = record.fullName.toLowerCase()
      if (passed.has(key)) continue
      options.onRecord({ record, verdict: waiting.has(key) ? 'needs-approval' : verdictOf(record) })
    }
  }

  const directory = connect({
    onRejected: () => rejected++,
    onRecords(records) {
      // The answer before may still be worked on: it is followed by another where the filter itself is put to the test.
      tellOthers(pages.slice(0, -1))
      pages = [...pages.slice(-1), records]
      received += records.length
      saysVerdicts ||= records.some((record) => verdictOf(record) !== null)
      hasOthers ||= records.some((record) => verdictOf(record) !== 'passed')
      options.onPage()
    },
  })
  for await (const { record } of directory.verifiedPlugins({}, { signal: options.signal })) {
    passed.add(record.fullName.toLowerCase())
    options.onRecord({ record, verdict: 'passed' })
  }
  const filterTells = passed.size > 0 && !saysVerdicts
  // What waits for approval installs too. A server that ignores the filter has sent it already.
  const isAsked = filterTells || (saysVerdicts && !hasOthers)
  if (isAsked) {
    const query = directory.allPlugins({ installCheck: 'needs-approval' }, { signal: options.signal })
    for await (const record of query) {
      const key = record.fullName.toLowerCase()
      passed.delete(key)
      if (filterTells || verdictOf(record) === 'needs-approval') waiting.add(key)
    }
  }
  tellOthers(pages)
  return {
    passed,
    waiting: isAsked ? waiting : null,
    rejected,
    verifiable: passed.size > 0 || saysVerdicts || received + rejected === 0,
  }
}
