/**
 * To make badges takes this long at a time, ms: on a slow machine as many as one turn of the page shows. Then the page is
 * laid out, which takes such a machine twenty for a single word where there are thousands of links, and hardly more for
 * badges: many at once are less work than a few at a time.
 */
const MAKE_MS = 16

/** The same, in a task that has work besides. ms */
const SOME_MS = 2

/** A run of links: no more than these, and none further from the first. px */
const RUN_LINKS = 16
const RUN_PX = 300

/** Around the view, what may soon be in it: as much as one key turns below; above, the first of a run that reaches into it. */
const NEAR = `${RUN_PX}px 0px 100%`

/**
 * Links that are to have a badge, on a page with so many that it would stand still while all are drawn. Those in view
 * get theirs at once, others when they come near, and all of them before the page is printed.
 */
export interface Waiting {
  add(link: Element): void
  /** Gives those in view, and those nobody watches for any more, their badges: as many as may be at once; the rest follow. */
  markSome(): void
  /** Gives each its badge now. */
  markAll(): void
  clear(): void
}

/** What is folded up, or in a column that is out of sight, is not seen to come near when what stands beside it is. */
const placeOf = (link: Element | undefined) => link?.closest('details, td, th')

/** @param mark gives a link its badge, if it still is to have one */
export function collectWaiting(mark: (link: Element) => void): Waiting {
  /** Links that stand together, by the first of them, which is watched for all. */
  const runs = new Map<Element, Element[]>()
  /** Firsts of the runs in view and near it. */
  const due = new Set<Element>()
  let run: Element[] = []
  let runTop = 0
  let isAsked = false

  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) due[isIntersecting ? 'add' : 'delete'](target)
      markSoon()
    },
    { rootMargin: NEAR },
  )

  const markDue = (ms: number) => {
    const end = performance.now() + ms
    for (const first of due) {
      const links = runs.get(first) ?? []
      while (links.length > 0) {
        if (performance.now() > end) return markSoon()
        mark(links.shift()!)
      }
      due.delete(first)
      runs.delete(first)
      observer.unobserve(first)
    }
  }
  const markSoon = () => {
    if (isAsked) return
    isAsked = true
    setTimeout(() => {
      isAsked = false
      markDue(MAKE_MS)
      // Lays the page out, which takes as long as to draw it then does: a slow machine is held up half as long at a time.
      document.documentElement.getBoundingClientRect()
    })
  }

  const lead = (links: Element[]) => {
    const [first] = links
    if (!first) return
    runs.set(first, links.concat(runs.get(first) ?? []))
    observer.observe(first)
  }

  return {
    add(link) {
      const { top, width } = link.getBoundingClientRect()
      // What has no box costs nothing to draw, and is never seen to come near.
      if (width === 0) return mark(link)
      // It may have gone far from those it led.
      lead(runs.get(link)?.filter((one) => one !== link) ?? [])
      const isClose = Math.abs(top - runTop) < RUN_PX && placeOf(link) === placeOf(run[0])
      if (isClose && run.length < RUN_LINKS) return run.push(link)
      run = [link]
      runTop = top
      runs.set(link, run)
      observer.observe(link)
      // Not marked here: to ask for the next box would lay out the page anew.
      if (top > -RUN_PX && top < innerHeight) due.add(link)
    },
    markSome() {
      // Their run has lost the link that was watched for it.
      for (const first of runs.keys()) if (!first.isConnected) due.add(first)
      markDue(SOME_MS)
      // The page moves before the next is added, and what stood beside these may not any more.
      run = []
    },
    markAll() {
      for (const first of runs.keys()) due.add(first)
      markDue(Number.POSITIVE_INFINITY)
    },
    clear() {
      observer.disconnect()
      runs.clear()
      due.clear()
      run = []
    },
  }
}
