import { median } from '../median.ts'
import type { BenchRow } from '../types.ts'
import type { BenchBrowser } from './browser.ts'
import { type Busy, busy, heapBytes } from './measure.ts'
import type { benchPages } from './pages.ts'
import type { Way } from './recorder.ts'
import type { Size } from './sizes.ts'
import { ALL, BOTH, inTurns, NAIVE } from './turns.ts'

/** What a script leaves on the heap, and what it costs a page that has no plugin. */
export async function footprint(browser: BenchBrowser, pages: ReturnType<typeof benchPages>, { heap }: Size) {
  const kept = await inTurns(5, BOTH, (way) => heapBytes(browser, pages.cards, way))
  const others = await inTurns(7, ALL, (way) => busy(browser, pages.others, way))
  const used = (way: Way, what: keyof Busy) => median(others[way].map((one) => one[what]))
  return [
    {
      what: '30 cards, heap kept',
      value: median(kept.plugmark),
      unit: 'bytes',
      ...(heap !== undefined && { target: heap }),
      against: { what: NAIVE, value: median(kept.naive) },
    },
    {
      what: '30 cards, no plugin: main thread',
      value: Math.max(0, used('plugmark', 'ms') - used('none', 'ms')),
      unit: 'ms',
      against: { what: NAIVE, value: Math.max(0, used('naive', 'ms') - used('none', 'ms')) },
    },
    {
      what: '  after the database is open, if it is opened at all',
      value: used('plugmark', 'onceOpenMs'),
      unit: 'ms',
      target: 2,
      against: { what: NAIVE, value: used('naive', 'onceOpenMs') },
    },
  ] satisfies BenchRow[]
}
