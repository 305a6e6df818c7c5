import { median } from '../median.ts'
import type { BenchBrowser, Tab } from './browser.ts'
import { type Drawn, putUp } from './drawn.ts'
import type { BenchPage } from './pages.ts'
import { CARDS_A_BATCH, pluginsAmong } from './pages.ts'
import type { Rhythm, Started, Wanted, Way } from './recorder.ts'
import { busyMs, longestOwnMs, longestTaskMs, partsOf, sumMs, sumOwnMs, traced } from './trace.ts'

/** What the recorder is told of a page, which has the rest. */
const wantedOf = ({ badges, isLong }: BenchPage): Wanted => ({ badges, isLong })

/** Start of a script to its last badge on a settled page, on a long one to the last in view. */
export async function start(browser: BenchBrowser, page: BenchPage, way: Way): Promise<Started> {
  const tab = await browser.visit(page.path)
  return tab.call('start', way, wantedOf(page))
}

/** The longest task, and the longest by what it had of a processor. */
export interface Longest {
  readonly longestTaskMs: number
  readonly longestOwnMs: number
}

export interface SlowStart extends Longest {
  readonly ms: number
}

/** The same with a processor four times slower, and the longest task from the start on. */
export async function slowStart(browser: BenchBrowser, page: BenchPage, way: Way): Promise<SlowStart> {
  const tab = await browser.visit(page.path)
  await tab.throttle(4)
  let ms = 0
  const trace = await traced(tab.session, async () => {
    ms = (await tab.call('start', way, wantedOf(page))).ms
  })
  return { ms, longestTaskMs: longestTaskMs(trace, 'bench:start'), longestOwnMs: longestOwnMs(trace, 'bench:start') }
}

export interface Scrolled {
  /** The longest task of each screen. */
  readonly longestTasksMs: readonly number[]
  /** From a scroll to the badges in view: in the middle, and the longest. */
  readonly medianMs: number
  readonly longestMs: number
}

/** Scrolls through all of a page that is marked, with a processor four times slower. */
export async function slowScroll(browser: BenchBrowser, page: BenchPage, way: Way): Promise<Scrolled> {
  const tab = await browser.visit(page.path)
  await tab.throttle(4)
  await tab.call('start', way, wantedOf(page))
  let took: number[] = []
  const trace = await traced(tab.session, async () => {
    took = await tab.call('scrollThrough', way, page.badges)
  })
  return {
    medianMs: took.length === 0 ? 0 : median(took),
    longestMs: Math.max(0, ...took),
    longestTasksMs: partsOf(trace, 'bench:screen').map((tasks) => Math.max(0, ...tasks.map(({ ms }) => ms))),
  }
}

/** What a script leaves on the heap, bytes, after all garbage was collected. */
export async function heapBytes(browser: BenchBrowser, page: BenchPage, way: Way): Promise<number> {
  const tab = await browser.visit(page.path)
  const before = await usedHeap(tab)
  await tab.call('start', way, wantedOf(page))
  return (await usedHeap(tab)) - before
}

async function usedHeap({ session }: Tab): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  return (await session.send('Runtime.getHeapUsage')).usedSize
}

export interface Busy {
  readonly ms: number
  /** From the moment the database is open; none where it stays closed. */
  readonly onceOpenMs: number
}

/** Main thread used on a page from the start of a script; without one, for as long. */
export async function busy(browser: BenchBrowser, page: BenchPage, way: Way): Promise<Busy> {
  const tab = await browser.visit(page.path)
  const trace = await traced(tab.session, () => tab.call('start', way, wantedOf(page)))
  const onceOpenMs = trace.marks.has('bench:storage-open') ? busyMs(trace, 'bench:storage-open') : 0
  return { ms: busyMs(trace, 'bench:start'), onceOpenMs }
}

/** Main thread used, the page's own work included. */
export interface Used {
  /** From each batch to what comes next. */
  readonly batches: readonly number[]
  /** From each change of something else. */
  readonly ticks: readonly number[]
}

export interface Appended {
  readonly ms: Used
  /** What of it the thread had a processor for. */
  readonly ownMs: Used
  /** Append to the last badge of the batch: of the batch in the middle, and of the slowest. */
  readonly medianMs: number
  readonly longestMs: number
  /** What the naive script took to read its index, before. */
  readonly naiveIndexMs: number
}

/** Appends batches of cards to a page that is marked, or to one in whose markup the badges are, as in the batches. */
export async function appended(
  browser: BenchBrowser,
  page: BenchPage,
  way: Way | Drawn,
  given: { batches: readonly string[]; rhythm: Rhythm; rate: number },
): Promise<Appended> {
  const tab = await browser.visit(page.path)
  const script = typeof way === 'string' ? way : 'none'
  if (typeof way !== 'string') await putUp(tab, way)
  const { naiveIndexMs } = await tab.call('start', script, wantedOf(page))
  await tab.call('prepare', typeof way === 'string' ? given.batches : way.batches)
  await tab.throttle(given.rate)
  let took: number[] = []
  const trace = await traced(tab.session, async () => {
    took = await tab.call('append', script, pluginsAmong(CARDS_A_BATCH), given.rhythm)
  })
  const parts = partsOf(trace, 'bench:part')
  const isBatch = (part: number) => part % (1 + (given.rhythm.ticks ?? 0)) === 0
  const used = (sum: typeof sumMs): Used => ({
    batches: parts.filter((_, part) => isBatch(part)).map(sum),
    ticks: parts.filter((_, part) => !isBatch(part)).map(sum),
  })
  return {
    ms: used(sumMs),
    ownMs: used(sumOwnMs),
    naiveIndexMs,
    medianMs: took.length === 0 ? 0 : median(took),
    longestMs: Math.max(0, ...took),
  }
}
