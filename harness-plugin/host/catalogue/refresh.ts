import { INDEX_FRESH_MS } from '@plugmark/shared/contract'
import type { IndexCache, IndexDifference } from '@plugmark/shared/index-cache'
import type { CatalogueState, CatalogueStatus } from '../../protocol/index.ts'
import type { OnProblem } from '../../protocol/problems.ts'
import { type Connect, failureOf } from './directory.ts'
import type { ListingStore } from './listing-store.ts'
import { readVerdicts } from './verdicts.ts'

/** Time after a failure in which opening a page does not retry, in ms. The Retry button always does. */
const RETRY_MS = 30_000

export interface LoadOptions {
  /** True when a person asked, which reads recent data again too. */
  readonly force?: boolean
  /** True when a person agreed to the `difference`. */
  readonly replace?: boolean
}

/** Keeps the listings current: the verdicts and the index. */
export interface Refresh {
  readonly state: CatalogueState
  /** Reason why the last reading failed. */
  readonly failure: CatalogueStatus['failure']
  /** Rows of the last answer that did not parse. */
  readonly rejected: number
  /** Reason why the last index that a person asked for did not replace the stored one. */
  readonly difference: IndexDifference | null
  /** Resolves once the stored listings and the cached index are loaded. Never rejects. */
  readonly opened: Promise<void>
  /** Reads the directory, unless a reading is running or the data is recent. Never rejects. */
  load(options?: LoadOptions): Promise<void>
  /** Returns true for a minute after a request for the index that has not succeeded, by any process. */
  triedLately(): Promise<boolean>
  /** Records the result of a download. @param error null when it succeeded */
  onDownloadEnd(error: unknown, rejected: number): void
  /** Resolves when all work has ended after the signal was aborted. */
  close(): Promise<void>
}

export function createRefresh(options: {
  readonly connect: Connect
  readonly index: IndexCache
  readonly store: ListingStore
  readonly now: () => number
  /** Ends all work for good. */
  readonly signal: AbortSignal
  readonly onChange: () => void
  /** Called with errors of background work, for a log. */
  readonly onProblem: OnProblem
}): Refresh {
  const { connect, index, store, now, signal, onChange, onProblem } = options
  const { table } = store
  let state: CatalogueState = 'idle'
  let failure: CatalogueStatus['failure'] = null
  let rejected = 0
  let difference: IndexDifference | null = null
  let triedAt = Number.NEGATIVE_INFINITY

  let loading: Promise<void> | null = null
  /** True once the running call has decided what to read. */
  let isDecided = false
  let isForced = false
  let isReplacing = false
  /** Reading that a person requested after the running one had its answer. */
  let next: Promise<void> | null = null
  let willReplace = false

  const report = (cause: unknown) => onProblem('directory-unread', cause)
  const opened = takeStored().catch(report)

  /** Loads the stored listings, which another process may have changed. */
  async function takeStored(): Promise<void> {
    const { loadedAt } = store.facts
    await store.reload()
    if (store.facts.loadedAt !== loadedAt) {
      state = stateOfStored()
      failure = null
    }
    await mergeIndex(await index.status())
    onChange()
  }

  function stateOfStored(): CatalogueState {
    const { loadedAt, verifiable } = store.facts
    return loadedAt === null ? 'idle' : verifiable ? 'ready' : 'unverifiable'
  }

  async function mergeIndex({ generated }: { readonly generated: string | null }): Promise<void> {
    if (generated === null || generated === table.indexGenerated) return
    const isMerged = await table.mergeIndex(index, store.facts.generated)
    if (isMerged && table.indexGenerated !== store.facts.generated)
      await store.save({ generated: table.indexGenerated })
    onChange()
  }

  async function read(request: LoadOptions): Promise<void> {
    triedAt = now()
    state = 'loading'
    onChange()
    const [verdicts, cached] = await Promise.allSettled([
      readVerdicts(connect, { signal, onRecord: table.upsert, onPage: onChange }),
      index.refresh(request),
    ])
    if (signal.aborted) return
    if (verdicts.status === 'fulfilled') table.applyVerdicts(verdicts.value)
    if (cached.status === 'fulfilled') {
      difference = cached.value.difference
      await mergeIndex(cached.value)
    }
    if (verdicts.status === 'rejected') {
      failure = failureOf(verdicts.reason)
      state = 'failed'
    } else {
      const { verifiable } = verdicts.value
      failure = null
      rejected = verdicts.value.rejected
      state = verifiable ? 'ready' : 'unverifiable'
      await store.save({ loadedAt: now(), verifiable })
    }
    onChange()
  }

  async function run(): Promise<void> {
    await opened
    // Another process may have read it meanwhile.
    if (!isForced) await takeStored()
    const request = { force: isForced, replace: isReplacing }
    isDecided = true
    if (isForced || isDue()) return read(request)
    // The index checks its own age, and whether its file was lost.
    await mergeIndex(await index.refresh())
  }

  function isDue(): boolean {
    const { loadedAt } = store.facts
    if (state === 'failed') return now() - triedAt >= RETRY_MS
    return loadedAt === null || loadedAt > now() || now() - loadedAt >= INDEX_FRESH_MS
  }

  function load({ force = false, replace = false }: LoadOptions = {}): Promise<void> {
    if (loading === null || !isDecided) {
      isForced ||= force
      isReplacing ||= replace
      loading ??= run()
        .catch(report)
        .finally(() => {
          loading = null
          isDecided = false
          isForced = false
          isReplacing = false
        })
      return loading
    }
    // The running one has been asked to read, but not to replace the stored index.
    if (force && (state !== 'loading' || (replace && !isReplacing))) {
      willReplace ||= replace
      next ??= loading.then(() => {
        const request = { force, replace: willReplace }
        next = null
        willReplace = false
        return load(request)
      })
    }
    return next ?? loading
  }

  return {
    get state() {
      return state
    },
    get failure() {
      return failure
    },
    get rejected() {
      return rejected
    },
    get difference() {
      return difference
    },
    opened,
    load,
    triedLately: async () => (await index.status()).triedLately,
    onDownloadEnd(error, count) {
      if (error) failure = failureOf(error)
      else {
        rejected = count
        // A failed reading stays failed until another one succeeds.
        if (state !== 'failed') failure = null
      }
      onChange()
    },
    async close() {
      await opened
      await loading
    },
  }
}
