import type { BenchRow } from '../types.ts'
import { type Batches, batchRows } from './batch-rows.ts'
import type { BenchBrowser } from './browser.ts'
import { takeDown } from './drawn.ts'
import { appended } from './measure.ts'
import type { BenchPage } from './pages.ts'
import type { Size } from './sizes.ts'
import { ALL, inTurns, SHORT } from './turns.ts'

/** Rounds so many that a part mostly has one in which nothing disturbs it, unless the machine is slow for minutes. */
const RHYTHMS: readonly (Omit<Batches, 'rate'> & { rounds: number })[] = [
  { what: 'one after another', rhythm: { everyMs: 350 }, together: 1, rounds: 6 },
  { what: '50 ms apart', rhythm: { everyMs: 50 }, together: 10, rounds: 12 },
  { what: 'under a 100 ms ticker', rhythm: { everyMs: 200, ticks: 2 }, together: 1, rounds: 6 },
]

/** At 4×, where the main thread is reported and decides nothing. */
const SLOW_ROUNDS = 3

/** Cards appended to a marked page, in batches. */
export async function batches(browser: BenchBrowser, page: BenchPage, markups: readonly string[], size: Size) {
  const rows: BenchRow[] = []
  const marked = await takeDown(browser, page, markups)
  const ways = [...ALL, 'drawn'] as const
  for (const rate of [1, 4]) {
    for (const given of RHYTHMS) {
      const count = rate === 1 ? given.rounds : SLOW_ROUNDS
      const rounds = await inTurns(SHORT ? 2 : count, ways, (way) =>
        appended(browser, page, way === 'drawn' ? marked : way, { batches: markups, rhythm: given.rhythm, rate }),
      )
      rows.push(...batchRows({ ...given, rate }, rounds, size))
    }
  }
  return rows
}
