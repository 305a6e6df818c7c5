import { setTimeout as pause } from 'node:timers/promises'
import { INDEX_FRESH_MS, LIMITS } from '@plugmark/shared/contract'
import type { CatalogueStatus } from '../../protocol/index.ts'
import type { Connect } from './directory.ts'
import type { ListingStore } from './listing-store.ts'

/** The largest page size that every server answers correctly. */
const PAGE = LIMITS.safePageSizes[2]
/** Pause between two requests, in ms, so that other clients of the directory need not wait. */
const PAUSE_MS = 100
/** Limit on pages, far above the size of any catalogue. */
const MOST_PAGES = 5_000
/** Number of pages after which the records are saved. */
const SAVE_PAGES = 20

export interface Download {
  /** Progress in listings; null while no download runs. */
  readonly progress: CatalogueStatus['download']
  /** Never rejects. */
  start(): Promise<void>
  stop(): Promise<void>
}

/**
 * Downloads every record, one request after another. A stopped download resumes at the page it stopped at; after some
 * hours it starts over instead, because rows may have moved meanwhile.
 *
 * @param options.onEnd called with null when the download completed or was stopped, else with the error
 */
export function createDownload(options: {
  readonly connect: Connect
  readonly store: ListingStore
  readonly now: () => number
  /** Ends the download for good. */
  readonly signal: AbortSignal
  readonly opened: Promise<void>
  readonly onProgress: () => void
  readonly onEnd: (error: unknown, rejected: number) => void
}): Download {
  const { connect, store, now, opened } = options
  let progress: CatalogueStatus['download'] = null
  let running: { readonly done: Promise<void>; readonly stop: AbortController } | null = null

  async function run(signal: AbortSignal): Promise<void> {
    await opened
    const { stopped } = store.facts
    let rejected = 0
    let page = stopped !== null && now() - stopped.at < INDEX_FRESH_MS ? stopped.page : 1
    let before = ''
    progress = { done: (page - 1) * PAGE, total: null }
    options.onProgress()
    const directory = connect({ onRejected: () => rejected++ })
    try {
      for (const last = page + MOST_PAGES; page < last; ) {
        const { records, received, total } = await directory.plugins({ limit: PAGE, page }, { signal })
        // A server that ignores the page number sends the same rows forever.
        const names = records.map(({ fullName }) => fullName).join('\n')
        if (received === 0 || (names !== '' && names === before)) break
        before = names
        for (const record of records) store.table.upsertPartial(record)
        const done = page * PAGE
        progress = { done: total === null ? done : Math.min(done, total), total }
        options.onProgress()
        page++
        if (page % SAVE_PAGES === 0) await store.save({ stopped: { page, at: now() } })
        await pause(PAUSE_MS, undefined, { signal })
      }
      await store.save({ stopped: null, downloadedAt: now() })
      progress = null
      options.onEnd(null, rejected)
    } catch (error) {
      await store.save({ stopped: { page, at: now() } })
      progress = null
      options.onEnd(signal.aborted ? null : error, rejected)
    }
  }

  return {
    get progress() {
      return progress
    },
    start() {
      if (running === null) {
        const stop = new AbortController()
        const done = run(AbortSignal.any([stop.signal, options.signal])).finally(() => {
          running = null
        })
        running = { stop, done }
      }
      return running.done
    },
    async stop() {
      running?.stop.abort()
      await running?.done
    },
  }
}
