import { INDEX_FRESH_MS } from '@plugmark/shared/contract'
import type { IndexStatus } from '@plugmark/shared/index-cache'
import { createListeners } from '../base/listeners.ts'
import { report, reportAs } from '../base/report.ts'
import { type Channel, openChannel } from '../manager/broadcast.ts'
import type { BadgeCache } from './badge-cache.ts'
import type { Directory } from './directory.ts'

/** Shortest wait before a failed request is tried again, whatever the clocks say. ms */
const MIN_WAIT_MS = 1000

/** Wait where another tab is refreshing, or the database could not be read. ms */
const OTHER_TAB_WAIT_MS = 60_000

/** Keeps what a page shows in step with the index, which all tabs of the origin share. */
export interface IndexRefresh {
  /** Refreshes the index if it is due; reads nothing from the database while it cannot be. */
  refreshIfDue(): void
  /**
   * Refreshes it now, because a person asked.
   *
   * @param options.replace the person agreed to the `difference` of the last status
   */
  refresh(options?: { readonly replace?: boolean }): Promise<IndexStatus>
  /** Deletes everything that is stored of the directory. */
  clear(): Promise<void>
  /** Returns false when there is no index and it could not be downloaded. */
  isReachable(): boolean
  /** @param listener called when the index is another one than the page was marked from */
  onUpdate(listener: () => void, signal?: AbortSignal): void
  /** @param listener called when `isReachable` changes */
  onReachable(listener: () => void, signal?: AbortSignal): void
}

/**
 * Refreshes whenever there is reason to: another tab has a newer index, the person returns to this tab, or a failed request
 * may be tried again. The index cache decides whether a request is sent.
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
  const refreshTime = createRefreshTime(`plugmark checked ${api}`)
  let isReachable = true
  /** `generated` of the index that the page shows: what the badge cache has before any link is looked up. */
  let shownGenerated = badgeCache.generated()
  let retryTimer: ReturnType<typeof setTimeout> | undefined
  let channel: Channel | null = null

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
    const status = await index.refresh({ force: request.force ?? false, replace: request.replace ?? false })
    const { generated, failure, state, ageMs } = status
    setReachable(status)
    clearTimeout(retryTimer)
    if (state === 'fresh') refreshTime.write(generated, ageMs)
    else {
      const waitMs = failure ? failure.nextTryAt - Date.now() : OTHER_TAB_WAIT_MS
      retryTimer = setTimeout(onVisible, Math.max(MIN_WAIT_MS, waitMs))
    }
    // An index that cannot be read now may still be there.
    if (generated === null) return status
    await badgeCache.sync(generated, index)
    if (generated === shownGenerated) return status
    shownGenerated = generated
    updates.call()
    if (request.broadcast) channel?.post(generated)
    return status
  }
  const updateQuietly = (request: { broadcast: boolean }) => {
    // The page goes on showing what it shows; the next look tries again.
    update(request).catch(reportAs('index: update'))
  }
  const refreshIfDue = () => {
    if (refreshTime.ageMs(badgeCache.generated()) < INDEX_FRESH_MS) listen()
    else updateQuietly({ broadcast: true })
  }
  const onVisible = () => {
    if (!document.hidden) refreshIfDue()
  }

  return {
    refreshIfDue,
    refresh: ({ replace = false } = {}) => update({ broadcast: true, force: true, replace }),
    async clear() {
      badgeCache.clear()
      refreshTime.clear()
      await directory.clear()
    },
    isReachable: () => isReachable,
    onUpdate: updates.add,
    onReachable: reachable.add,
  }
}

/**
 * Stores when the index was last known to be the newest, for a page that wants to know without the database. No method
 * throws where the storage does.
 */
function createRefreshTime(key: string) {
  return {
    /** Returns ms since then; infinite for another index than that of `generated`, and when the clock was set back. */
    ageMs(generated: string | null): number {
      try {
        const [stored, at] = localStorage.getItem(key)?.split(' ') ?? []
        const age = stored === generated ? Date.now() - Number(at) : Number.NaN
        return age >= 0 ? age : Number.POSITIVE_INFINITY
      } catch (error) {
        report('refresh time: read', error)
        return Number.POSITIVE_INFINITY
      }
    },
    write(generated: string | null, ageMs: number | null): void {
      if (generated === null || ageMs === null) return
      try {
        localStorage.setItem(key, `${generated} ${Date.now() - ageMs}`)
      } catch (error) {
        // Every page reads the database then.
        report('refresh time: write', error)
      }
    },
    clear(): void {
      try {
        localStorage.removeItem(key)
      } catch (error) {
        report('refresh time: clear', error)
      }
    },
  }
}
