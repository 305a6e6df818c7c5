import { nextTask } from '@plugmark/shared/catalogue'
import { inNextFrame } from './frame.ts'

/** Work at a time, ms; what takes longer is spread over frames. */
const SLICE_MS = 16

/** Links that are worked on at once however long they take: to draw a frame between them takes a slow machine longer. */
const FEW = 30

export interface ChangesOptions {
  /** The links at or below an element. */
  readonly linksOf: (root: Element) => Iterable<Element>
  readonly each: (link: Element) => void
  /** Called when nothing waits any more. */
  readonly done: () => void
  /** Called at the end of each piece of the work, and last: it may lay the page out. */
  readonly paused: () => void
}

/**
 * Collects what changed on a page and works through it in the next frame, for a few milliseconds at a time. A frame
 * once asked for is never put off by what comes later, so a page that changes without pause is served all the same.
 */
export interface Changes {
  addRoot(root: Element): void
  addLink(link: Element): void
  /** Works on these, and on what waits, at once: before the page is drawn. */
  workOn(given: { roots?: readonly Element[]; links?: Iterable<Element> }): void
  /** Works through all that waits. */
  finish(): void
  clear(): void
}

export function collectChanges({ linksOf, each, paused, done }: ChangesOptions): Changes {
  const roots = new Set<Element>()
  const links = new Set<Element>()
  let asked = false

  const ask = () => {
    if (asked) return
    asked = true
    inNextFrame(next)
  }
  const next = () => {
    asked = false
    run()
  }
  /** The frame is drawn first, when one is due; there is no need to wait for it. */
  const goOn = () => {
    paused()
    asked = true
    void nextTask().then(next)
  }
  const run = (ms = SLICE_MS) => {
    const end = performance.now() + ms
    for (const root of roots) {
      roots.delete(root)
      for (const link of linksOf(root)) links.add(link)
      if (performance.now() > end) return goOn()
    }
    for (const link of links) {
      links.delete(link)
      each(link)
      if (performance.now() > end && links.size > FEW) return goOn()
    }
    done()
    paused()
  }
  const addTo = (waiting: Set<Element>) => (element: Element) => {
    waiting.add(element)
    ask()
  }

  return {
    addRoot: addTo(roots),
    addLink: addTo(links),
    workOn({ roots: moreRoots = [], links: moreLinks = [] }) {
      for (const root of moreRoots) roots.add(root)
      for (const link of moreLinks) links.add(link)
      run()
    },
    finish: () => run(Number.POSITIVE_INFINITY),
    clear() {
      roots.clear()
      links.clear()
    },
  }
}
