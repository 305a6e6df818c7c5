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
import type { ManagerRequest, ManagerResponse, ManagerXhr } from '../manager/manager.ts'
import type { BadgeCache } from './badge-cache.ts'
import { Records } from './records.ts'

/** Time limit of a request, including the body. ms */
const REQUEST_LIMIT_MS = 30_000

/** A manager's own time limit, for managers that cannot abort a request. ms */
const LINGER_MS = 60_000

/** Some managers swallow the first request after their start. One of which nothing was heard for so long is sent again. ms */
const SILENCE_MS = 5_000

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
 * Creates a function that sends each request through a manager, which the page's Content-Security-Policy does not
 * restrict: once, and again if nothing is heard of the first. Callers have their own back-off and time limits, so a
 * call's signal and `Retry-After` are ignored.
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
      const handles: unknown[] = []
      let isEnded = false
      /** @param heard position of the request that ended; the others are aborted */
      const end = (settle: () => void, heard = -1) => {
        if (isEnded) return
        isEnded = true
        clearTimeout(limit)
        clearTimeout(silence)
        settle()
        for (const [at, handle] of handles.entries()) if (at !== heard) abort(handle)
      }
      const ask = async (at: number) => {
        const fail = (cause: unknown) => end(() => reject(cause), at)
        const load = (answer: ManagerResponse) => end(() => resolve(read(answer)), at)
        const details: ManagerRequest = {
          method: 'GET',
          url,
          headers: REQUEST.headers,
          responseType: 'blob',
          anonymous: true,
          timeout: LINGER_MS,
          onload: load,
          onerror: fail,
          ontimeout: () => fail(new TypeError('The manager timed out.')),
          onabort: () => fail(new TypeError('The manager aborted the request.')),
          onloadend: load,
          onprogress({ loaded = 0, total = 0 }) {
            clearTimeout(silence)
            if (Math.max(loaded, total) > maxBytes) end(() => reject(new BodyTooLarge(maxBytes)))
          },
        }
        try {
          // GM.xmlHttpRequest also rejects its promise, after the callbacks have reported the failure.
          handles[at] = xhr(details)
          await handles[at]
        } catch (error) {
          fail(error)
        }
      }
      const limit = setTimeout(() => end(() => reject(new DOMException('', 'TimeoutError'))), timeoutMs)
      const silence = setTimeout(() => ask(1), SILENCE_MS)
      void ask(0)
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

/**
 * Keeps a page up to date with the index, which all tabs of the origin share. Refreshes when another tab has a newer
 * index, when the user returns to this tab, or when a failed request may be repeated. The index cache decides whether to
 * send a request.
 */
export class IndexRefresh {
  readonly #directory: Directory
  readonly #badgeCache: BadgeCache
  readonly #updates = createListeners()
  readonly #reachable = createListeners()
  #isReachable = true
  /** `generated` of the index that the page shows: that of the badge cache, before any link is looked up. */
  #shownGenerated: string | null
  #retryTimer: ReturnType<typeof setTimeout> | undefined
  #isListening = false
  /** Times that the data were deleted: an update that began before stores nothing after. */
  #clears = 0

  constructor(directory: Directory, badgeCache: BadgeCache) {
    this.#directory = directory
    this.#badgeCache = badgeCache
    this.#shownGenerated = badgeCache.generated()
  }

  /** Refreshes the index if it is due; reads nothing from the database while it cannot be. */
  readonly refreshIfDue = (): void => {
    if (this.#badgeCache.ageMs() < INDEX_FRESH_MS) this.#listen()
    else this.#updateQuietly()
  }

  /**
   * Refreshes the index now, because the user requested it.
   *
   * @param options.replace true if the user agreed to the `difference` of the last status
   */
  readonly refresh = ({ replace = false }: { readonly replace?: boolean } = {}): Promise<IndexStatus> =>
    this.#update({ force: true, replace })

  /** Deletes all stored data of the directory. */
  readonly clear = async (): Promise<void> => {
    this.#clears++
    clearTimeout(this.#retryTimer)
    this.#badgeCache.clear()
    await this.#directory.clear()
  }

  /** Returns false when there is no index, or an expired one, and it could not be downloaded. */
  readonly isReachable = (): boolean => this.#isReachable
  /** Calls a listener when the index differs from the one that the page was marked from. */
  readonly onUpdate = this.#updates.add
  /** Calls a listener when `isReachable` changes. */
  readonly onReachable = this.#reachable.add

  readonly #onVisible = () => {
    if (!document.hidden) this.refreshIfDue()
  }

  #listen(): void {
    if (this.#isListening) return
    this.#isListening = true
    document.addEventListener('visibilitychange', this.#onVisible)
    // Another tab has written the badges of a newer index.
    this.#badgeCache.onOtherTab(() => {
      if (this.#badgeCache.generated() !== this.#shownGenerated) this.#updateQuietly()
    })
  }

  #updateQuietly(): void {
    // The page stays as it is; the next check tries again.
    this.#update({}).catch(reportAs('index: update'))
  }

  async #update(request: { force?: boolean; replace?: boolean }): Promise<IndexStatus> {
    this.#listen()
    const { index } = this.#directory
    const clearsBefore = this.#clears
    const status = await index.refresh({ force: request.force ?? false, replace: request.replace ?? false })
    if (this.#clears !== clearsBefore) return status
    const { generated, failure, state, ageMs } = status
    this.#setReachable(failure === null || (generated !== null && state !== 'expired'))
    clearTimeout(this.#retryTimer)
    if (state !== 'fresh') {
      const waitMs = failure ? failure.nextTryAt - Date.now() : OTHER_TAB_WAIT_MS
      this.#retryTimer = setTimeout(this.#onVisible, Math.max(MIN_WAIT_MS, waitMs))
    }
    // An index that cannot be read now may still exist.
    if (generated === null) return status
    await this.#badgeCache.sync(generated, index)
    if (this.#clears !== clearsBefore) return status
    if (state === 'fresh' && ageMs !== null) this.#badgeCache.confirm(generated, ageMs)
    if (generated === this.#shownGenerated) return status
    this.#shownGenerated = generated
    this.#updates.call()
    return status
  }

  #setReachable(isReachable: boolean): void {
    if (isReachable === this.#isReachable) return
    this.#isReachable = isReachable
    this.#reachable.call()
  }
}
