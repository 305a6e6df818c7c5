import { join } from 'node:path'
import { inProcessLock } from '@plugmark/shared/async'
import {
  createDirectoryClient,
  type DirectoryClient,
  type DirectoryClientOptions,
  DirectoryError,
} from '@plugmark/shared/client'
import { listingKey, type PluginRecord, type Verdict, verdictOf } from '@plugmark/shared/contract'
import { processLock } from '@plugmark/shared/file-lock'
import { createIndexCache, type IndexCache, type IndexProblem, memoryStore } from '@plugmark/shared/index-cache'
import { fileStore } from '@plugmark/shared/index-cache/file'
import type { Refusal } from '../../protocol/index.ts'
import type { OnProblem, Problem } from '../../protocol/problems.ts'
import { refuse } from '../../protocol/protocol.ts'

/** Creates a client of the directory. Each reading has its own client, so that it sees only its own rows. */
export type Connect = (listeners?: Pick<DirectoryClientOptions, 'onRecords' | 'onRejected'>) => DirectoryClient

export const connectTo =
  (directory: Pick<DirectoryClientOptions, 'baseUrl' | 'fetch'>): Connect =>
  (listeners = {}) =>
    createDirectoryClient({ ...directory, ...listeners })

/** Returns the reason why the directory could not be read, for the user. */
export function failureOf(error: unknown): { readonly kind: string; readonly message: string } {
  if (error instanceof DirectoryError) return { kind: error.kind, message: error.message }
  return { kind: 'invalid', message: 'The answer of the directory could not be read.' }
}

/** Returns a refusal for an error of the directory. @throws any other error */
export function directoryError(error: unknown): Refusal {
  if (error instanceof DirectoryError) return refuse('directory', error.message)
  throw error
}

export const unlisted = (): Refusal => refuse('unknown-listing', 'The directory does not list this plugin.')

/** Time limit of downloading the index, in ms: on a slow line it takes much longer than a page of records. */
const INDEX_LIMIT_MS = 60_000

const PROBLEM_OF: Readonly<Record<IndexProblem['kind'], Problem>> = {
  read: 'index-unreadable',
  write: 'index-unsaved',
  damaged: 'index-damaged',
  fetch: 'index-unfetched',
  refused: 'index-refused',
  lock: 'index-locked',
}

/**
 * Opens the cached index of a directory, which all hosts over one folder share.
 *
 * @param options.folder null for memory alone
 */
export function openIndexCache(options: {
  readonly connect: Connect
  readonly folder: string | null
  readonly now: () => number
  /** Aborts a request for the index. */
  readonly signal: AbortSignal
  readonly onProblem: OnProblem
}): IndexCache {
  const { folder, now, onProblem } = options
  const directory = options.connect()
  return createIndexCache({
    store: folder ? fileStore({ folder }) : memoryStore(),
    lock: folder ? processLock({ path: join(folder, 'index.json') }) : inProcessLock(),
    fetchIndex: ({ signal }) =>
      directory.index({
        signal: AbortSignal.any([signal, options.signal]),
        retries: 1,
        timeoutMs: INDEX_LIMIT_MS,
        totalTimeoutMs: INDEX_LIMIT_MS,
      }),
    now,
    // The end of the host is not a failure of the directory.
    onProblem: ({ kind, cause }) => options.signal.aborted || onProblem(PROBLEM_OF[kind], cause),
  })
}

/** Listings that passed their install check, by their keys. */
export interface ReadVerdicts {
  readonly passed: ReadonlySet<string>
  /** Listings that are known to wait for approval; null if the directory was not asked for these alone. */
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
  const { signal, onRecord, onPage } = options
  const passed = new Set<string>()
  /** Listings that wait for approval. For records without verdicts, the server's filter gives these too. */
  const waiting = new Set<string>()
  const received = new Map<string, PluginRecord>()
  let rejected = 0
  const directory = connect({
    onRejected: () => rejected++,
    onRecords(records) {
      for (const record of records) received.set(listingKey(record.fullName), record)
      onPage()
    },
  })
  for await (const { record } of directory.verifiedPlugins({}, { signal })) {
    passed.add(listingKey(record.fullName))
    onRecord(record, 'passed')
  }
  const verdicts = new Set(Array.from(received.values(), verdictOf))
  const carriesVerdicts = [...verdicts].some((verdict) => verdict !== null)
  const hasOthers = [...verdicts].some((verdict) => verdict !== 'passed')
  const isFilterTrusted = passed.size > 0 && !carriesVerdicts
  // Listings that wait for approval can be installed too. A server that ignores the filter has already sent them.
  const isAsked = isFilterTrusted || (carriesVerdicts && !hasOthers)
  if (isAsked) {
    for await (const record of directory.allPlugins({ installCheck: 'needs-approval' }, { signal })) {
      const key = listingKey(record.fullName)
      passed.delete(key)
      if (isFilterTrusted || verdictOf(record) === 'needs-approval') waiting.add(key)
    }
  }
  for (const [key, record] of received)
    if (!passed.has(key)) onRecord(record, waiting.has(key) ? 'needs-approval' : verdictOf(record))
  return {
    passed,
    waiting: isAsked ? waiting : null,
    rejected,
    verifiable: passed.size > 0 || carriesVerdicts || received.size + rejected === 0,
  }
}
