/** Elements looked at in one frame; more wait for the next. */
const ELEMENTS_A_FRAME = 200

/** What a batch of work is about: parts of the page to search, and single links. */
export interface Batch {
  readonly roots: readonly Element[]
  readonly links: readonly Element[]
}

/**
 * Collects what changed and hands it over in the next frame, a bounded part at a time. A frame once asked for is never
 * put off by what comes later, so a page that changes without pause is served all the same.
 */
export interface Changes {
  addRoot(root: Element): void
  addLink(link: Element): void
  clear(): void
}

export function collectChanges(work: (batch: Batch) => void): Changes {
  const roots = new Set<Element>()
  const links = new Set<Element>()
  let asked = false

  const ask = () => {
    if (asked) return
    asked = true
    // A hidden page has no frames; it should be ready when the person turns to it.
    if (document.hidden) setTimeout(run)
    else requestAnimationFrame(run)
  }

  const run = () => {
    asked = false
    const batch = { roots: take(roots, ELEMENTS_A_FRAME), links: take(links, ELEMENTS_A_FRAME) }
    if (roots.size + links.size > 0) ask()
    work(batch)
  }

  const addTo = (waiting: Set<Element>) => (element: Element) => {
    waiting.add(element)
    ask()
  }

  return {
    addRoot: addTo(roots),
    addLink: addTo(links),
    clear() {
      roots.clear()
      links.clear()
    },
  }
}

function take<T>(from: Set<T>, most: number): T[] {
  const taken: T[] = []
  for (const item of from) {
    if (taken.length === most) break
    taken.push(item)
    from.delete(item)
  }
  return taken
}
