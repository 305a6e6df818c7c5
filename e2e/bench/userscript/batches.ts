import { median } from '../median.ts'
import type { BenchRow } from '../types.ts'
import type { BenchBrowser } from './browser.ts'
import { takeDown } from './drawn.ts'
import { appended } from './measure.ts'
import { type BenchPage, CARDS_A_BATCH } from './pages.ts'
import type { Rhythm } from './recorder.ts'
import { ALL, inTurns, NAIVE, SHORT } from './turns.ts'

const RHYTHMS: readonly { what: string; rhythm: Rhythm }[] = [
  { what: 'one after another', rhythm: { everyMs: 350 } },
  { what: '50 ms apart', rhythm: { everyMs: 50 } },
  { what: 'under a 100 ms ticker', rhythm: { everyMs: 150, tickerMs: 100 } },
]

/** Cards appended to a marked page, in batches. */
export async function batches(browser: BenchBrowser, page: BenchPage, markups: readonly string[]) {
  const rows: BenchRow[] = []
  const marked = await takeDown(browser, page, markups)
  for (const rate of [1, 4]) {
    for (const { what, rhythm } of RHYTHMS) {
      const given = { batches: markups, rhythm, rate }
      const { plugmark, naive, none, drawn } = await inTurns(SHORT ? 1 : 3, [...ALL, 'drawn'] as const, (way) =>
        appended(browser, page, way === 'drawn' ? marked : way, given),
      )
      const besides = (list: typeof none, figure: 'busyMs' | 'busyOwnMs') => {
        const busy = (some: typeof none) => median(some.map((one) => one[figure]))
        return Math.max(0, busy(list) - busy(none))
      }
      const row = (what: string, figure: 'busyMs' | 'busyOwnMs'): BenchRow => ({
        what,
        value: besides(plugmark, figure),
        unit: 'ms',
        ...(rate === 1 && { target: 4 }),
        against: { what: NAIVE, value: besides(naive, figure) },
      })
      const name = `${markups.length} × ${CARDS_A_BATCH} cards ${what}${rate === 1 ? '' : ', 4×'}`
      rows.push(
        row(`${name}: main thread a batch`, 'busyMs'),
        row('  of a processor', 'busyOwnMs'),
        {
          what: '  the same badges in the page’s own markup, without a script',
          value: besides(drawn, 'busyOwnMs'),
          unit: 'ms',
        },
        {
          what: '  to the badge',
          value: median(plugmark.map((one) => one.medianMs)),
          unit: 'ms',
          target: 50,
          against: { what: NAIVE, value: median(naive.map((one) => one.medianMs)) },
        },
        {
          what: '  to the badge, slowest batch',
          value: median(plugmark.map((one) => one.longestMs)),
          unit: 'ms',
          target: 50,
          against: { what: NAIVE, value: median(naive.map((one) => one.longestMs)) },
        },
      )
    }
  }
  return rows
}
