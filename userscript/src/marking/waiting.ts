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

/** Around the view, what may soon be in it: as much as one key turns below; above, where it has been read, half. */
const NEAR = '50% 0px 100%'

/**
 * Links that are to have a badge, on a page with so many that it would stand still while all are drawn. Those in view
 * get theirs at once, others when they come near, and all of them before the page is printed.
 */
export interface Waiting {
  add(link: Element): void
  /** Gives those in view their badges: as many as may be at once; the rest follow. */
  markSome(): void
  /** Sees to those whose run has lost the link that was watched for it. */
  check(): void
  /** Gives each its badge now. */
  markAll(): void
  clear(): void
}

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
      // What is folded up with a first is not seen to come near before that is.
      const isClose = Math.abs(top - runTop) < RUN_PX && link.closest('details') === run[0]?.closest('details')
      if (isClose && run.length < RUN_LINKS) return run.push(link)
      // It may have gone far from those it led.
      lead(runs.get(link)?.filter((one) => one !== link) ?? [])
      run = [link]
      runTop = top
      runs.set(link, run)
      observer.observe(link)
      // Not marked here: to ask for the next box would lay out the page anew.
      if (top > -RUN_PX && top < innerHeight) due.add(link)
    },
    markSome() {
      markDue(SOME_MS)
      // The page moves before the next is added, and what stood beside these may not any more.
      run = []
    },
    check() {
      for (const first of runs.keys()) if (!first.isConnected) due.add(first)
      if (due.size > 0) markSoon()
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
