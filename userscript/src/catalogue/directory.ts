import { webLock } from '@plugmark/shared/async'
import {
  BodyTooLarge,
  findPlugin,
  getIndex,
  getPlugins,
  HttpFailure,
  REQUEST,
  type Send,
} from '@plugmark/shared/client/core'
import { INDEX_FRESH_MS, LIMITS } from '@plugmark/shared/contract'
import { createIndexCache, type IndexCache, type IndexStatus, type SavedIndex } from '@plugmark/shared/index-cache'
import { idbStore } from '@plugmark/shared/index-cache/idb'
import { createListeners } from '../base/listeners.ts'
import { report, reportAs } from '../base/report.ts'
import { type Channel, openChannel } from '../manager/broadcast.ts'
import type { ManagerRequest, ManagerResponse, ManagerXhr } from '../manager/manager.ts'
import type { BadgeCache } from './badges.ts'
import { Records } from './records.ts'

/** Time limit of a request, including the body. ms */
const REQUEST_LIMIT_MS = 30_000

/** A manager's own time limit, for managers that cannot abort a request. ms */
const LINGER_MS = 60_000

/** The index and the records of a directory, fetched and stored for this origin. Each directory has databases of its own. */
export interface Directory {
  readonly index: IndexCache
  readonly records: Records
  /** Deletes the stored index and records. */
  clear(): Promise<void>
}

/**
 * @param api address of the directory
 * @param onSaved called with each index that replaces the stored one
 */
export function openDirectory(api: string, xhr: ManagerXhr, onSaved: (index: SavedIndex) => Promise<void>): Directory {
  const send = managerSend(xhr, { timeoutMs: REQUEST_LIMIT_MS, maxBytes: LIMITS.bodyBytes })
  const records = new Records({
    database: `plugmark records ${api}`,
    fetchRecord: (fullName) =>
      findPlugin({ plugins: (query, call) => getPlugins(send, { baseUrl: api }, query, call) }, fullName, {}),
  })
  const index = createIndexCache({
    fetchIndex: (call) => getIndex(send, api, call),
    store: idbStore({ database: `plugmark ${api}` }),
    lock: webLock('plugmark-index'),
    onSaved,
    onProblem: ({ kind, cause }) => report(`index: ${kind}`, cause),
  })
  return {
    index,
    records,
    async clear() {
      await Promise.all([index.clear(), records.clear()])
    },
  }
}

/**
 * Creates a function that sends each request once, through a manager, which the page's Content-Security-Policy does not
 * restrict. Callers have their own back-off and time limits, so a call's signal and `Retry-After` are ignored.
 *
 * @param options.timeoutMs time limit of a request, including the body
 * @param options.maxBytes size limit of a body; a larger one ends the request
 */
export function managerSend(xhr: ManagerXhr, options: { timeoutMs: number; maxBytes: number }): Send {
  const { timeoutMs, maxBytes } = options
  const read = async ({ status, response, responseText }: ManagerResponse) => {
    // Some managers report a load although nothing was loaded.
    if (status === 0) throw new TypeError('Failed to fetch')
    if (status < 200 || status > 299) throw new HttpFailure(status)
    const body = await new Response((response ?? responseText) as BodyInit).blob()
    if (body.size > maxBytes) throw new BodyTooLarge(maxBytes)
    return { status, text: await body.text() }
  }
  return (url) =>
    new Promise((resolve, reject) => {
      let handle: unknown
      const stop = (cause: unknown) => {
        reject(cause)
        abort(handle)
      }
      const timer = setTimeout(() => stop(new DOMException('', 'TimeoutError')), timeoutMs)
      const fail = (cause: unknown) => {
        clearTimeout(timer)
        reject(cause)
      }
      const details: ManagerRequest = {
        method: 'GET',
        url,
        headers: REQUEST.headers,
        responseType: 'blob',
        anonymous: true,
        timeout: LINGER_MS,
        onload(answer) {
          clearTimeout(timer)
          resolve(read(answer))
        },
        onerror: fail,
        ontimeout: () => fail(new TypeError('The manager timed out.')),
        onabort: () => fail(new TypeError('The manager aborted the request.')),
        onprogress({ loaded = 0, total = 0 }) {
          if (Math.max(loaded, total) > maxBytes) stop(new BodyTooLarge(maxBytes))
        },
      }
      // GM.xmlHttpRequest also rejects its promise, after the callbacks have reported the failure.
      const ask = async () => {
        handle = xhr(details)
        await handle
      }
      ask().catch(fail)
    })
}

function abort(handle: unknown): void {
  try {
    ;(handle as { abort?: () => void } | undefined)?.abort?.()
  } catch (error) {
    // Some managers throw when the request has already ended.
    report('request: abort', error)
  }
}

/** Shortest wait before a failed request is repeated, whatever the clocks say. ms */
const MIN_WAIT_MS = 1000

/** Wait while another tab is refreshing, or after the database could not be read. ms */
const OTHER_TAB_WAIT_MS = 60_000

/** Keeps a page up to date with the index, which all tabs of the origin share. */
export interface IndexRefresh {
  /** Refreshes the index if it is due; reads nothing from the database while it cannot be. */
  refreshIfDue(): void
  /**
   * Refreshes the index now, because the user requested it.
   *
   * @param options.replace true if the user agreed to the `difference` of the last status
   */
  refresh(options?: { readonly replace?: boolean }): Promise<IndexStatus>
  /** Deletes all stored data of the directory. */
  clear(): Promise<void>
  /** Returns false when there is no index and it could not be downloaded. */
  isReachable(): boolean
  /** @param listener called when the index differs from the one that the page was marked from */
  onUpdate(listener: () => void, signal?: AbortSignal): void
  /** @param listener called when `isReachable` changes */
  onReachable(listener: () => void, signal?: AbortSignal): void
}

/**
 * Refreshes when another tab has a newer index, when the user returns to this tab, or when a failed request may be
 * repeated. The index cache decides whether to send a request.
 */
export function createIndexRefresh(options: {
  api: string
  directory: Directory
  badgeCache: BadgeCache
}): IndexRefresh {
  const { api, directory, badgeCache } = options
  const { index } = directory
  const updates = createListeners()
  const reachable = createListeners()
  let isReachable = true
  /** `generated` of the index that the page shows: that of the badge cache, before any link is looked up. */
  let shownGenerated = badgeCache.generated()
  let retryTimer: ReturnType<typeof setTimeout> | undefined
  let channel: Channel | null = null
  /** Times that the data were deleted: an update that began before stores nothing after. */
  let clears = 0

  const listen = () => {
    document.addEventListener('visibilitychange', onVisible)
    channel ??= openChannel(`plugmark ${api}`, () => updateQuietly({ broadcast: false }))
  }
  const setReachable = ({ generated, failure }: IndexStatus) => {
    const isNow = generated !== null || failure === null
    if (isNow === isReachable) return
    isReachable = isNow
    reachable.call()
  }

  const update = async (request: { broadcast: boolean; force?: boolean; replace?: boolean }): Promise<IndexStatus> => {
    listen()
    const clearsBefore = clears
    const status = await index.refresh({ force: request.force ?? false, replace: request.replace ?? false })
    if (clears !== clearsBefore) return status
    const { generated, failure, state, ageMs } = status
    setReachable(status)
    clearTimeout(retryTimer)
    if (state !== 'fresh') {
      const waitMs = failure ? failure.nextTryAt - Date.now() : OTHER_TAB_WAIT_MS
      retryTimer = setTimeout(onVisible, Math.max(MIN_WAIT_MS, waitMs))
    }
    // An index that cannot be read now may still exist.
    if (generated === null) return status
    await badgeCache.sync(generated, index)
    if (clears !== clearsBefore) return status
    if (state === 'fresh' && ageMs !== null) badgeCache.confirm(generated, ageMs)
    if (generated === shownGenerated) return status
    shownGenerated = generated
    updates.call()
    if (request.broadcast) channel?.post(generated)
    return status
  }
  const updateQuietly = (request: { broadcast: boolean }) => {
    // The page stays as it is; the next check tries again.
    update(request).catch(reportAs('index: update'))
  }
  const refreshIfDue = () => {
    if (badgeCache.ageMs() < INDEX_FRESH_MS) listen()
    else updateQuietly({ broadcast: true })
  }
  const onVisible = () => {
    if (!document.hidden) refreshIfDue()
  }

  return {
    refreshIfDue,
    refresh: ({ replace = false } = {}) => update({ broadcast: true, force: true, replace }),
    async clear() {
      clears++
      clearTimeout(retryTimer)
      badgeCache.clear()
      await directory.clear()
    },
    isReachable: () => isReachable,
    onUpdate: updates.add,
    onReachable: reachable.add,
  }
}
