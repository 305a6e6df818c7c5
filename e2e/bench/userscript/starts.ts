import { median } from '../median.ts'
import type { BenchRow } from '../types.ts'
import type { BenchBrowser } from './browser.ts'
import { longestRows } from './longest.ts'
import { slowStart, start } from './measure.ts'
import type { BenchPage } from './pages.ts'
import type { Started, Way } from './recorder.ts'
import type { Size } from './sizes.ts'
import { BOTH, inTurns, NAIVE } from './turns.ts'

/** Starts on a page of a browser that has its copy, as it is and four times slower. */
export async function warm(browser: BenchBrowser, page: BenchPage, { faster, tooLarge }: Size, count: number) {
  const rows: BenchRow[] = []
  const { plugmark, naive } = await inTurns(count, BOTH, (way) => start(browser, page, way))
  const asFast = median(naive.map(({ ms }) => ms))
  const decides = faster !== undefined && page.badges === 20
  rows.push({
    what: `${page.what}, start to last badge${page.isLong ? ' in view' : ''}`,
    value: median(plugmark.map(({ ms }) => ms)),
    unit: 'ms',
    ...(decides && { target: asFast / faster }),
    against: { what: NAIVE, value: asFast },
  })
  if (decides) {
    const value = median(naive.map(({ naiveIndexMs }) => naiveIndexMs))
    rows.push({ what: '  until the naive script has read its index', value, unit: 'ms' })
    // Some of what a script may compile at its first call it may have compiled with it.
    const whole = (starts: readonly Started[]) => median(starts.map(({ ms, compileMs }) => ms + compileMs))
    const against = { what: NAIVE, value: whole(naive) }
    rows.push({
      what: '  with the browser’s compiling before its first line',
      value: whole(plugmark),
      unit: 'ms',
      against,
    })
  }
  const slow = await inTurns(count, BOTH, (way) => slowStart(browser, page, way))
  const ofSlow = (way: 'plugmark' | 'naive') => median(slow[way].map(({ ms }) => ms))
  rows.push(
    {
      what: '  at 4× throttling',
      value: ofSlow('plugmark'),
      unit: 'ms',
      against: { what: NAIVE, value: ofSlow('naive') },
    },
    ...longestRows('  longest task at 4×', slow, !tooLarge),
  )
  return rows
}

/** The first start of a browser. */
export async function afterRestart(browser: BenchBrowser, page: BenchPage) {
  const { plugmark, naive } = await inTurns(3, BOTH, async (way) => {
    await browser.restart()
    return (await start(browser, page, way)).ms
  })
  const against = { what: NAIVE, value: median(naive) }
  return [
    { what: '30 cards, after a browser start', value: median(plugmark), unit: 'ms', against },
  ] satisfies BenchRow[]
}

/** A start of a browser that has no copy yet. */
export async function firstVisit(browser: BenchBrowser, page: BenchPage) {
  const emptied =
    <T>(work: (browser: BenchBrowser, page: BenchPage, way: Way) => Promise<T>) =>
    async (way: Way) => {
      await browser.empty()
      return work(browser, page, way)
    }
  const fast = await inTurns(5, BOTH, emptied(start))
  const slow = await inTurns(5, BOTH, emptied(slowStart))
  return [
    {
      what: '30 cards, first visit, index request included',
      value: median(fast.plugmark.map(({ ms }) => ms)),
      unit: 'ms',
      against: { what: NAIVE, value: median(fast.naive.map(({ ms }) => ms)) },
    },
    ...longestRows('  longest task at 4×', slow),
  ] satisfies BenchRow[]
}
