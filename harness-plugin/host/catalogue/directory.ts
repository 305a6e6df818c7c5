import { join } from 'node:path'
import { inProcessLock } from '@plugmark/shared/async'
import {
  createDirectoryClient,
  type DirectoryClient,
  type DirectoryClientOptions,
  DirectoryError,
} from '@plugmark/shared/client'
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

/** Returns the reason why the directory could not be read, for a person. */
export function failureOf(error: unknown): { readonly kind: string; readonly message: string } {
  if (error instanceof DirectoryError) return { kind: error.kind, message: error.message }
  return { kind: 'invalid', message: 'The answer of the directory could not be read.' }
}

/** Returns a refusal for an error of the directory. @throws any other error */
export function directoryError(error: unknown): Refusal {
  if (error instanceof DirectoryError) return refuse('directory', error.message)
  throw error
}

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
