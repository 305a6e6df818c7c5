import { setTimeout as pause } from 'node:timers/promises'
import { INDEX_FRESH_MS, LIMITS } from '@plugmark/shared/contract'
import type { CatalogueStatus } from '../../protocol/index.ts'
import type { Connect } from './directory.ts'
import type { ListingStore } from './listing-store.ts'

/** The largest page that is right on every server. */
const PAGE = LIMITS.safePageSizes[2]
/** Between two requests, so that nobody else waits for the directory because of us. */
const PAUSE_MS = 100
/** Far more than a catalogue has. */
const MOST_PAGES = 5_000
/** Pages after which what came is saved. */
const SAVE_PAGES = 20

export interface Download {
  /** How far it is, in listings; null while there is none. */
  readonly progress: CatalogueStatus['download']
  /** Never rejects. */
  start(): Promise<void>
  stop(): Promise<void>
}

/**
 * The download of every record, one request after another. One that was stopped goes on with the page it stopped at:
 * rows may have moved meanwhile, so after some hours it begins anew.
 *
 * @param options.onEnd called with null when it came to its end or was stopped, else with the error
 */
export function createDownload(options: {
  readonly connect: Connect
  readonly store: ListingStore
  readonly now: () => number
  /** Ends it for good. */
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
        // A server that ignores the page sends the same rows for ever.
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
