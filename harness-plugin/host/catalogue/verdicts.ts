import { type PluginRecord, type Verdict, verdictOf } from '@plugmark/shared/contract'
import type { Connect } from './directory.ts'
import { keyOf } from './listing.ts'

export interface ReadVerdicts {
  /** Keys of the listings that are known to have passed. */
  readonly passed: ReadonlySet<string>
  /** Keys of the listings that are known to wait for approval; null where the directory was not asked for just those. */
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
 * @param options.onRecord called with every record received, those that did not pass included
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
  /** Where records carry no verdict, the server's filter says these too, as it says what passed. */
  const waiting = new Set<string>()
  let pages: (readonly PluginRecord[])[] = []
  let received = 0
  let rejected = 0
  let carriesVerdicts = false
  let hasOthers = false

  /** Hands on the records of these pages that did not pass; those that passed already are. */
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
      // The client may still be working on the last page: the probe of its filter sends another one after it.
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
  // What waits for approval installs too. A server that ignores the filter has sent it already.
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
