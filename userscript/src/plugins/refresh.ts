import { INDEX_FRESH_MS } from '@plugmark/shared/contract'
import type { IndexStatus } from '@plugmark/shared/index-cache'
import { type Channel, openChannel } from '../manager/broadcast.ts'
import type { BadgeCache } from './badge-cache.ts'
import type { Directory } from './directory.ts'

/** Shortest wait before a failed request is tried again, whatever the clocks say. ms */
const SHORTEST_WAIT_MS = 1000

/** Wait where another tab is refreshing, or the database could not be read. ms */
const OTHER_TAB_WAIT_MS = 60_000

/** Keeps what a page shows in step with the index, which all tabs of the origin share. */
export interface IndexRefresh {
  /** Refreshes the index if it is due; reads nothing from the database while it cannot be. */
  refreshIfDue(): void
  /** Refreshes it now, because a person asked. */
  refresh(): Promise<IndexStatus>
  /** Deletes everything that is stored of the directory. */
  clear(): Promise<void>
}

/**
 * Refreshes whenever there is reason to: another tab has a newer index, the person turns to this tab, or a failed request
 * may be tried again. The index cache decides whether a request goes out.
 *
 * @param options.onStatus called after each look
 * @param options.onUpdate called when the index is another one than the page was marked from
 */
export function createIndexRefresh(options: {
  api: string
  directory: Directory
  badgeCache: BadgeCache
  onStatus: (status: IndexStatus) => void
  onUpdate: () => void
}): IndexRefresh {
  const { api, directory, badgeCache, onStatus, onUpdate } = options
  const { index } = directory
  const lastChecked = createLastChecked(`plugmark checked ${api}`)
  /** `generated` of the index that the page shows: what the badge cache has before any link is looked up. */
  let shown = badgeCache.generated()
  let retryTimer: ReturnType<typeof setTimeout> | undefined
  let channel: Channel | null = null

  const listen = () => {
    document.addEventListener('visibilitychange', onVisible)
    channel ??= openChannel(`plugmark ${api}`, () => updateQuietly({ broadcast: false }))
  }

  const update = async (how: { broadcast: boolean; force?: boolean }): Promise<IndexStatus> => {
    listen()
    const status = await index.refresh({ force: how.force ?? false })
    const { generated, failure, state, ageMs } = status
    onStatus(status)
    clearTimeout(retryTimer)
    if (state === 'fresh') lastChecked.write(generated, ageMs)
    else {
      const waitMs = failure ? failure.nextTryAt - Date.now() : OTHER_TAB_WAIT_MS
      retryTimer = setTimeout(onVisible, Math.max(SHORTEST_WAIT_MS, waitMs))
    }
    // What cannot be read now may still be there.
    if (generated === null) return status
    await badgeCache.sync(generated)
    if (generated === shown) return status
    shown = generated
    onUpdate()
    if (how.broadcast) channel?.post(generated)
    return status
  }
  const updateQuietly = (how: { broadcast: boolean }) => {
    update(how).catch(() => {
      // The page goes on showing what it shows; the next look tries again.
    })
  }
  const refreshIfDue = () => {
    if (lastChecked.ageMs(badgeCache.generated()) < INDEX_FRESH_MS) listen()
    else updateQuietly({ broadcast: true })
  }
  const onVisible = () => {
    if (!document.hidden) refreshIfDue()
  }

  return {
    refreshIfDue,
    refresh: () => update({ broadcast: true, force: true }),
    async clear() {
      badgeCache.clear()
      lastChecked.clear()
      await directory.clear()
    },
  }
}

/**
 * When the index was last known to be the newest, for a page that wants to know without the database. Every method
 * survives a storage that throws.
 */
function createLastChecked(key: string) {
  return {
    /** ms since then; infinite for another index than that of `generated`, and when the clock was set back. */
    ageMs(generated: string | null): number {
      try {
        const [of, at] = localStorage.getItem(key)?.split(' ') ?? []
        const age = of === generated ? Date.now() - Number(at) : Number.NaN
        return age >= 0 ? age : Number.POSITIVE_INFINITY
      } catch {
        return Number.POSITIVE_INFINITY
      }
    },
    write(generated: string | null, ageMs: number | null): void {
      if (generated === null || ageMs === null) return
      try {
        localStorage.setItem(key, `${generated} ${Date.now() - ageMs}`)
      } catch {
        // Without it every page looks into the database.
      }
    },
    clear(): void {
      try {
        localStorage.removeItem(key)
      } catch {
        // What cannot be reached is not read either.
      }
    },
  }
}
