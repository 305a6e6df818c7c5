import { type PluginRecord, type Verdict, verdictOf } from '@plugmark/shared/contract'
import type { Connect } from './directory.ts'
import { keyOf } from './directory-record.ts'

export interface ReadVerdicts {
  /** Keys of the listings that are known to have passed. */
  readonly passed: ReadonlySet<string>
  /** Keys of the listings that are known to wait for approval; null if the directory was not asked for these alone. */
  readonly waiting: ReadonlySet<string> | null
  /** True if the directory states which listings passed. An empty directory counts too. */
  readonly verifiable: boolean
  /** Rows that did not parse. */
  readonly rejected: number
}

/**
 * Reads which listings passed their install check, and which wait for approval. A server that ignores the filter sends
 * every listing without a verdict, which distinguishes it from one where no listing passed.
 *
 * @param options.onRecord called with every record received, including those that did not pass
 * @param options.onPage called after each answer
 * @throws DirectoryError
 */
export async function readVerdicts(
  connect: Connect,
  options: {
    readonly signal: AbortSignal
    readonly onRecord: (record: PluginRecord, verdict: Verdict | null) => void
    readonly onPage: () => void
  },
): Promise<ReadVerdicts> {
  const passed = new Set<string>()
  /** Listings that wait for approval. For records without verdicts, the server's filter gives these too. */
  const waiting = new Set<string>()
  let pages: (readonly PluginRecord[])[] = []
  let received = 0
  let rejected = 0
  let carriesVerdicts = false
  let hasOthers = false

  /** Passes on the records of these pages that did not pass; the others were passed on before. */
  function handOnOthers(of: typeof pages) {
    for (const record of of.flat()) {
      const key = keyOf(record.fullName)
      if (passed.has(key)) continue
      options.onRecord(record, waiting.has(key) ? 'needs-approval' : verdictOf(record))
    }
  }

  const directory = connect({
    onRejected: () => rejected++,
    onRecords(records) {
      // The client may still process the last page: its filter probe requests another one after it.
      handOnOthers(pages.slice(0, -1))
      pages = [...pages.slice(-1), records]
      received += records.length
      carriesVerdicts ||= records.some((record) => verdictOf(record) !== null)
      hasOthers ||= records.some((record) => verdictOf(record) !== 'passed')
      options.onPage()
    },
  })
  for await (const { record } of directory.verifiedPlugins({}, { signal: options.signal })) {
    passed.add(keyOf(record.fullName))
    options.onRecord(record, 'passed')
  }
  const isFilterTrusted = passed.size > 0 && !carriesVerdicts
  // Listings that wait for approval can be installed too. A server that ignores the filter has already sent them.
  const isAsked = isFilterTrusted || (carriesVerdicts && !hasOthers)
  if (isAsked) {
    const query = directory.allPlugins({ installCheck: 'needs-approval' }, { signal: options.signal })
    for await (const record of query) {
      const key = keyOf(record.fullName)
      passed.delete(key)
      if (isFilterTrusted || verdictOf(record) === 'needs-approval') waiting.add(key)
    }
  }
  handOnOthers(pages)
  return {
    passed,
    waiting: isAsked ? waiting : null,
    rejected,
    verifiable: passed.size > 0 || carriesVerdicts || received + rejected === 0,
  }
}
