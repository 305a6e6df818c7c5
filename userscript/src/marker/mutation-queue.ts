import { yieldToMain } from '@plugmark/shared/async'

/** Work on links before the page gets its turn. ms */
const CHUNK_MS = 12

/** Elements to search for links, and links to process. */
export interface MutationQueue {
  addRoot(root: Element): void
  addLink(link: Element): void
  /** Works at once, before the page is drawn, on what is queued. */
  flush(): void
  /** Works on all of it, however long that takes. */
  finish(): void
  clear(): void
}

/**
 * Collects what changed on a page and works through it in the next frame; what takes longer is spread over tasks, between
 * which the page is drawn. A frame once asked for is never put off by later changes, so a page that changes without
 * pause is served all the same.
 *
 * @param options.linksIn links at or below an element, in the order in which to process them
 * @param options.onChunk called at the end of each chunk, and once more when the queue is empty
 */
export function createMutationQueue(options: {
  linksIn: (root: Element) => Iterable<Element>
  processLink: (link: Element) => void
  onChunk: (isEmpty: boolean) => void
}): MutationQueue {
  const { linksIn, processLink, onChunk } = options
  const roots = new Set<Element>()
  const links = new Set<Element>()
  let isScheduled = false

  const run = (chunkMs: number) => {
    isScheduled = false
    const end = performance.now() + chunkMs
    for (const root of roots) {
      roots.delete(root)
      for (const link of linksIn(root)) links.add(link)
    }
    for (const link of links) {
      links.delete(link)
      processLink(link)
      if (links.size > 0 && performance.now() > end) {
        isScheduled = true
        void yieldToMain().then(runChunk)
        return onChunk(false)
      }
    }
    onChunk(true)
  }
  const runChunk = () => run(CHUNK_MS)
  const schedule = () => {
    if (isScheduled) return
    isScheduled = true
    // A hidden page has no frames, and should be ready when the person turns to it.
    if (document.hidden) setTimeout(runChunk)
    else requestAnimationFrame(runChunk)
  }

  return {
    addRoot(root) {
      roots.add(root)
      schedule()
    },
    addLink(link) {
      links.add(link)
      schedule()
    },
    flush: runChunk,
    finish: () => run(Number.POSITIVE_INFINITY),
    clear() {
      roots.clear()
      links.clear()
    },
  }
}
