import { INDEX_FRESH_MS } from '@plugmark/shared/contract'
import type { IndexStatus } from '@plugmark/shared/index-cache'
import { createListeners } from '../base/listeners.ts'
import { report, reportAs } from '../base/report.ts'
import { type Channel, openChannel } from '../manager/broadcast.ts'
import type { BadgeCache } from './badge-cache.ts'
import type { Directory } from './directory.ts'

/** Shortest wait before a failed request is repeated, whatever the clocks say. ms */
const MIN_WAIT_MS = 1000

/** Wait while another tab is refreshing, or after the database could not be read. ms */
const OTHER_TAB_WAIT_MS = 60_000

/** Keeps a page up to date with the index, which all tabs of the origin share. */
export interface IndexRefresh {
  /** Refreshes the index if it is due; reads nothing from the database while it cannot be. */
  refreshIfDue(): void
  /**
   * Refreshes the index now, because a person requested it.
   *
   * @param options.replace true if the person agreed to the `difference` of the last status
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
 * Refreshes when another tab has a newer index, when the person returns to this tab, or when a failed request may be
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
  const refreshTime = createRefreshTime(`plugmark checked ${api}`)
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
    if (state === 'fresh') refreshTime.write(generated, ageMs)
    else {
      const waitMs = failure ? failure.nextTryAt - Date.now() : OTHER_TAB_WAIT_MS
      retryTimer = setTimeout(onVisible, Math.max(MIN_WAIT_MS, waitMs))
    }
    // An index that cannot be read now may still exist.
    if (generated === null) return status
    await badgeCache.sync(generated, index)
    if (clears !== clearsBefore) return status
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
      clears++
      clearTimeout(retryTimer)
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
 * Stores the time when the index was last known to be the newest, for pages that have not opened the database. No
 * method throws when the storage does.
 */
function createRefreshTime(key: string) {
  return {
    /** Returns the age in ms; infinite for an index of another `generated`, and when the clock was set back. */
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
        // Then every page reads the database.
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
