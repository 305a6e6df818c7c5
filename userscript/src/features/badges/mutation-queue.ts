import { yieldToMain } from '@plugmark/shared/async'

/** Time for links before the first paint of the page, and between later frames. ms */
const FIRST_CHUNK_MS = 12
const CHUNK_MS = 24

export interface MutationQueue {
  addRoot(root: Element): void
  addLink(link: Element): void
  /** Processes the queue at once, before the next paint. */
  flush(): void
  /** Processes the whole queue in one task, however long that takes. */
  finish(): void
}

/**
 * Collects the changes of a page and processes them in the next frame, in chunks between which the page is painted.
 * Later changes never postpone a requested frame, so a page that changes constantly is marked too.
 *
 * @param options.linksIn returns the links at or below an element, in the order in which to process them
 * @param options.onChunk called at the end of each chunk
 * @param options.signal clears the queue and stops it
 */
export function createMutationQueue(options: {
  linksIn: (root: Element) => Iterable<Element>
  processLink: (link: Element) => void
  onChunk: (isEmpty: boolean) => void
  signal: AbortSignal
}): MutationQueue {
  const { linksIn, processLink, onChunk, signal } = options
  const roots = new Set<Element>()
  const links = new Set<Element>()
  /** The scheduled run; a later one replaces it. */
  let scheduled: symbol | null = null

  const run = (chunkMs: number) => {
    scheduled = null
    if (signal.aborted) return
    const end = performance.now() + chunkMs
    for (const root of roots) {
      roots.delete(root)
      for (const link of linksIn(root)) links.add(link)
    }
    for (const link of links) {
      links.delete(link)
      processLink(link)
      if (links.size > 0 && performance.now() > end) {
        schedule((runChunk) => void yieldToMain().then(runChunk))
        return onChunk(false)
      }
    }
    onChunk(true)
  }
  const runChunk = () => run(CHUNK_MS)

  /** Schedules the next chunk. A run that starts earlier, by `flush` or `finish`, replaces it. */
  const schedule = (later: (callback: () => void) => void) => {
    if (scheduled !== null) return
    const own = Symbol()
    scheduled = own
    later(() => {
      if (scheduled === own) runChunk()
    })
  }
  const scheduleFrame = () =>
    // A hidden page has no frames, but should be ready when the user returns to it.
    schedule((callback) => void (document.hidden ? setTimeout(callback) : requestAnimationFrame(callback)))

  return {
    addRoot(root) {
      roots.add(root)
      scheduleFrame()
    },
    addLink(link) {
      links.add(link)
      scheduleFrame()
    },
    flush: () => run(FIRST_CHUNK_MS),
    finish: () => run(Number.POSITIVE_INFINITY),
  }
}
