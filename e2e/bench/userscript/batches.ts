import { median } from '../median.ts'
import type { BenchRow } from '../types.ts'
import type { BenchBrowser } from './browser.ts'
import { takeDown } from './drawn.ts'
import { appended } from './measure.ts'
import { type BenchPage, CARDS_A_BATCH } from './pages.ts'
import type { Rhythm } from './recorder.ts'
import { ALL, inTurns, NAIVE, SHORT } from './turns.ts'
import { together, undisturbed } from './undisturbed.ts'

/**
 * `together`: batches that are one part. When they come fast and the machine is slow, some share a frame, and in its best
 * round each would be one that left its work to the next.
 */
const RHYTHMS: readonly { what: string; rhythm: Rhythm; together: number }[] = [
  { what: 'one after another', rhythm: { everyMs: 350 }, together: 1 },
  { what: '50 ms apart', rhythm: { everyMs: 50 }, together: 10 },
  { what: 'under a 100 ms ticker', rhythm: { everyMs: 200, ticks: 2 }, together: 1 },
]

/** So many that a batch mostly has one in which nothing disturbs it, unless the machine is slow for minutes. */
const ROUNDS = SHORT ? 2 : 6
/** At 4×, where the main thread is reported and decides nothing. */
const SLOW_ROUNDS = SHORT ? 1 : 3

const sum = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

/** Cards appended to a marked page, in batches. */
export async function batches(browser: BenchBrowser, page: BenchPage, markups: readonly string[]) {
  const rows: BenchRow[] = []
  const marked = await takeDown(browser, page, markups)
  for (const rate of [1, 4]) {
    for (const { what, rhythm, together: batchesAPart } of RHYTHMS) {
      const given = { batches: markups, rhythm, rate }
      const rounds = await inTurns(rate === 1 ? ROUNDS : SLOW_ROUNDS, [...ALL, 'drawn'] as const, (way) =>
        appended(browser, page, way === 'drawn' ? marked : way, given),
      )
      const { plugmark, naive } = rounds
      type Figure = (way: keyof typeof rounds) => number
      const bestTicks: Figure = (way) => sum(undisturbed(rounds[way].map(({ ms }) => ms.ticks))) / markups.length
      const bestOf =
        (clock: 'ms' | 'ownMs'): Figure =>
        (way) => {
          const batches = undisturbed(rounds[way].map((one) => together(one[clock].batches, batchesAPart)))
          const ticks = undisturbed(rounds[way].map((one) => one[clock].ticks))
          return sum([...batches, ...ticks]) / markups.length
        }
      const best = bestOf('ms')
      const middle: Figure = (way) =>
        median(rounds[way].map(({ ms }) => sum([...ms.batches, ...ms.ticks]))) / markups.length
      const besides = (figure: Figure, way: keyof typeof rounds) => Math.max(0, figure(way) - figure('none'))
      const row = (what: string, figure: Figure, target?: number): BenchRow => ({
        what,
        value: besides(figure, 'plugmark'),
        unit: 'ms',
        ...(target !== undefined && { target }),
        against: { what: NAIVE, value: besides(figure, 'naive') },
      })
      const limit = rate === 1 ? 4 : undefined
      const name = `${markups.length} × ${CARDS_A_BATCH} cards ${what}${rate === 1 ? '' : ', 4×'}`
      rows.push(
        row(`${name}: main thread a batch, each part in its best round`, best, limit),
        row('  of a processor', bestOf('ownMs'), limit),
        ...(rhythm.ticks === undefined
          ? []
          : [
              row('  of the first the ticks, with all badges that are there', bestTicks),
              {
                what: '  the ticks, with the same badges in the page’s own markup',
                value: besides(bestTicks, 'drawn'),
                unit: 'ms' as const,
              },
            ]),
        row('  in the middle one of the rounds', middle, limit),
        {
          what: '  the same badges in the page’s own markup, without a script',
          value: besides(best, 'drawn'),
          unit: 'ms',
        },
        {
          what: '  how fast the machine is: best look-up of the naive script, 30 to 35 where the limit was set',
          value: Math.min(...naive.map(({ naiveIndexMs }) => naiveIndexMs)),
          unit: 'ms',
        },
        { what: '  besides what the page itself takes for a batch', value: best('none'), unit: 'ms' },
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
