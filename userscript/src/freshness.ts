import type { PageCatalogue } from '@plugmark/shared/catalogue'

/** Shortest wait before a failed fetch is tried again, whatever the clocks say. ms */
const SHORTEST_WAIT_MS = 1000

/** Keeps what a page shows in step with the copy of the catalogue, which all tabs of the origin share. */
export interface Freshness {
  /** Looks whether the copy is due or another one by now, and brings it up to date. */
  look(): void
}

/**
 * Looks again whenever there is reason to: another tab has got a copy, the person turns to this tab, or a failed fetch
 * may be tried again. The catalogue decides whether a request goes out.
 *
 * @param options.name the same in every tab that shares the copy
 * @param options.shown `generated` of the copy the page was first marked from; null when that is not known
 * @param options.onChange called when the copy is another one than that, with its `generated`
 */
export function keepFresh(options: {
  catalogue: PageCatalogue
  name: string
  shown: () => string | null
  onChange: (generated: string | null) => void
}): Freshness {
  const { catalogue, name, shown, onChange } = options
  /** `generated` of the copy the page shows; undefined before the first look. */
  let seen: string | null | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let channel: BroadcastChannel | null = null

  const bringUpToDate = async ({ tell }: { tell: boolean }) => {
    if (seen === undefined) seen = shown()
    const { generated, failure } = await catalogue.refresh()
    clearTimeout(retry)
    if (failure) retry = setTimeout(lookIfSeen, Math.max(SHORTEST_WAIT_MS, failure.nextTryAt - Date.now()))
    if (generated === seen) return
    seen = generated
    onChange(generated)
    if (tell) channel?.postMessage(generated)
  }

  const look = (tell: boolean) => {
    channel ??= openChannel(name, () => look(false))
    bringUpToDate({ tell }).catch(() => {
      // What is shown stays; the next look tries again.
    })
  }

  const lookIfSeen = () => {
    if (!document.hidden) look(true)
  }

  document.addEventListener('visibilitychange', lookIfSeen)
  addEventListener('pagehide', () => {
    // An open channel can keep a page out of the browser's back/forward cache.
    channel?.close()
    channel = null
  })
  return { look: () => look(true) }
}

function openChannel(name: string, onMessage: () => void): BroadcastChannel | null {
  try {
    const channel = new BroadcastChannel(name)
    channel.onmessage = onMessage
    return channel
  } catch {
    // Not in every manager's sandbox; the other reasons to look remain.
    return null
  }
}
