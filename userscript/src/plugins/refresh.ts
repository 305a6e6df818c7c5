import type { CatalogueStatus } from '@plugmark/shared/catalogue'
import { INDEX_FRESH_MS } from '@plugmark/shared/contract'
import { type Channel, openChannel } from '../manager/broadcast.ts'
import type { Stamp } from './last-checked.ts'

/** Shortest wait before a failed fetch is tried again, whatever the clocks say. ms */
const SHORTEST_WAIT_MS = 1000

/** Keeps what a page shows in step with the copy of the catalogue, which all tabs of the origin share. */
export interface Freshness {
  /** Looks whether the copy is due or another one by now, and brings it up to date; not while a look cannot be due. */
  look(): void
  /** Asks the directory now, because a person wants it. Resolves when that is over, whatever came of it. */
  retry(): Promise<void>
}

/**
 * Looks again whenever there is reason to: another tab has got a copy, the person turns to this tab, or a failed fetch
 * may be tried again. The catalogue decides whether a request goes out.
 *
 * @param options.refresh brings the copy up to date where it is due; the one there is decides that
 * @param options.name the same in every tab that shares the copy
 * @param options.shown `generated` of the copy the page was first marked from; null when that is not known
 * @param options.stamp when the copy the page was marked from was last known to be the newest, readable at once
 * @param options.onStatus called after each look
 * @param options.onChange called when the copy is another one than that, with its `generated`
 */
export function keepFresh(options: {
  refresh: (options: { force: boolean }) => Promise<CatalogueStatus>
  name: string
  shown: () => string | null
  stamp: Stamp
  onStatus: (status: CatalogueStatus) => void
  onChange: (generated: string) => unknown
}): Freshness {
  const { refresh, name, shown, stamp, onStatus, onChange } = options
  /** `generated` of the copy the page shows; undefined before the first look. */
  let seen: string | null | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let channel: Channel | null = null

  const bringUpToDate = async ({ tell, force = false }: { tell: boolean; force?: boolean }) => {
    if (seen === undefined) seen = shown()
    const status = await refresh({ force })
    const { generated, failure, state, ageMs } = status
    onStatus(status)
    if (state === 'fresh') stamp.write(generated, ageMs)
    clearTimeout(retry)
    // Where no failure is known another tab asks for it, or the storage could not be read: a minute then.
    const waitMs = failure ? failure.nextTryAt - Date.now() : 60_000
    if (state !== 'fresh') retry = setTimeout(lookIfSeen, Math.max(SHORTEST_WAIT_MS, waitMs))
    // What cannot be had may still be there.
    if (generated === seen || generated === null) return
    seen = generated
    onChange(generated)
    if (tell) channel?.post(generated)
  }

  const listen = () => {
    document.addEventListener('visibilitychange', lookIfSeen)
    channel ??= openChannel(name, () => look(false))
  }
  const look = (tell: boolean) => {
    listen()
    bringUpToDate({ tell }).catch(() => {
      // What is shown stays; the next look tries again.
    })
  }

  const lookIfSeen = () => {
    if (!document.hidden) lookIfDue()
  }
  /** Most pages need nothing of the database then. */
  const lookIfDue = () => {
    if (stamp.age(shown()) < INDEX_FRESH_MS) listen()
    else look(true)
  }

  return {
    look: lookIfDue,
    retry: () =>
      bringUpToDate({ tell: true, force: true }).catch(() => {
        // What is shown goes on saying that it failed.
      }),
  }
}
