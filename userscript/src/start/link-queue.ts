import { yieldToMain } from '@plugmark/shared/async'

/** Time for links before the first paint of the page, and between later frames. ms */
const FIRST_CHUNK_MS = 12
export const CHUNK_MS = 24

/** Does the work of a queue. */
export interface LinkWorker {
  /** Returns the links at or below an element, in the order in which to process them. */
  linksIn(root: Element): Iterable<Element>
  processLink(link: Element): void
  /** Called at the end of each chunk. */
  onChunk(isEmpty: boolean): void
}

/**
 * Collects the changes of a page and processes them in the next frame, in chunks between which the page is painted.
 * Later changes never postpone a requested frame, so a page that changes constantly is marked too.
 */
export class LinkQueue {
  readonly #worker: LinkWorker
  readonly #signal: AbortSignal
  readonly #roots = new Set<Element>()
  readonly #links = new Set<Element>()
  /** The scheduled run; a later one replaces it. */
  #scheduled: symbol | null = null

  /** @param signal clears the queue and stops it */
  constructor(worker: LinkWorker, signal: AbortSignal) {
    this.#worker = worker
    this.#signal = signal
  }

  addRoot(root: Element): void {
    this.#roots.add(root)
    this.#schedule(inNextFrame)
  }

  addLink(link: Element): void {
    this.#links.add(link)
    this.#schedule(inNextFrame)
  }

  /** Processes the queue at once, before the next paint. @param root first of all */
  flush(root?: Element): void {
    if (root) this.#roots.add(root)
    this.#run(FIRST_CHUNK_MS)
  }

  /** Processes the whole queue in one task, however long that takes. */
  finish(): void {
    this.#run(Number.POSITIVE_INFINITY)
  }

  #run(chunkMs: number): void {
    this.#scheduled = null
    if (this.#signal.aborted) return
    const isFirst = chunkMs === FIRST_CHUNK_MS
    let end = performance.now() + chunkMs
    for (const root of this.#roots) {
      this.#roots.delete(root)
      for (const link of this.#worker.linksIn(root)) this.#links.add(link)
      if (!isFirst && performance.now() > end && this.#continueLater()) return
    }
    // To find the links of a large page may take as long as that, and the first of them are in view.
    if (isFirst) end = performance.now() + chunkMs
    for (const link of this.#links) {
      this.#links.delete(link)
      this.#worker.processLink(link)
      if (performance.now() > end && this.#continueLater()) return
    }
    this.#worker.onChunk(true)
  }

  /** @returns false when nothing is left */
  #continueLater(): boolean {
    if (this.#roots.size + this.#links.size === 0) return false
    this.#schedule((runChunk) => void yieldToMain().then(runChunk))
    this.#worker.onChunk(false)
    return true
  }

  /** Schedules the next chunk. A run that starts earlier, by `flush` or `finish`, replaces it. */
  #schedule(later: (callback: () => void) => void): void {
    if (this.#scheduled !== null) return
    const own = Symbol()
    this.#scheduled = own
    later(() => {
      if (this.#scheduled === own) this.#run(CHUNK_MS)
    })
  }
}

/** A hidden page has no frames, but should be ready when the user returns to it. */
export const inNextFrame = (callback: () => void): void =>
  void (document.hidden ? setTimeout(callback) : requestAnimationFrame(callback))
