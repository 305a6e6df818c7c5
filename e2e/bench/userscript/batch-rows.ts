import { median } from '../median.ts'
import type { BenchRow } from '../types.ts'
import type { Appended, Used } from './measure.ts'
import { pace } from './pace.ts'
import { CARDS_A_BATCH } from './pages.ts'
import type { Rhythm, Way } from './recorder.ts'
import type { Size } from './sizes.ts'
import { NAIVE } from './turns.ts'
import { together, undisturbed } from './undisturbed.ts'

/** How batches were appended. */
export interface Batches {
  readonly what: string
  readonly rhythm: Rhythm
  /** How many times slower the processor was made. */
  readonly rate: number
  /**
   * Batches that are one part. When they come fast and the machine is slow, some share a frame, and in its best round each
   * would be one that left its work to the next.
   */
  readonly together: number
}

type Rounds = Readonly<Record<Way | 'drawn', readonly Appended[]>>
type Clock = 'ms' | 'ownMs'
/** Main thread of all batches, or of all ticks, the page's own work included, ms. */
type Figure = (rounds: readonly Appended[], clock: Clock, of: keyof Used) => number

/** Main thread a batch that the script may use, ms. */
const LIMIT_MS = 4
/** From a batch to its badges, ms. */
const BADGE_LIMIT_MS = 50

const sum = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

export function batchRows({ what, rate, together: aPart }: Batches, rounds: Rounds, size: Size): BenchRow[] {
  const { plugmark, naive, none, drawn } = rounds
  const count = none[0]!.ms.batches.length
  const best: Figure = (of, clock, part) =>
    sum(undisturbed(of.map((one) => together(one[clock][part], part === 'batches' ? aPart : 1))))
  const middle: Figure = (of, clock, part) => median(of.map((one) => sum(one[clock][part])))
  const more = (figure: Figure, clock: Clock, part: keyof Used, of = plugmark, than = none) =>
    Math.max(0, figure(of, clock, part) - figure(than, clock, part)) / count
  const lookUpsMs = naive.map(({ naiveIndexMs }) => naiveIndexMs)

  /** A tick is nothing of the script's; what is counted is what one takes that a page with the same badges does not. */
  const cost = (what: string, figure: Figure, clock: Clock, lookUpMs: number): BenchRow => ({
    what,
    value: more(figure, clock, 'batches') + more(figure, clock, 'ticks', plugmark, drawn),
    unit: 'ms',
    ...(rate === 1 && { target: LIMIT_MS, pace: pace(size, lookUpMs) }),
    against: { what: NAIVE, value: more(figure, clock, 'batches', naive) + more(figure, clock, 'ticks', naive) },
  })
  const told = (what: string, value: number): BenchRow => ({ what, value, unit: 'ms' })
  const until = (what: string, figure: 'medianMs' | 'longestMs'): BenchRow => ({
    what,
    value: median(plugmark.map((one) => one[figure])),
    unit: 'ms',
    target: BADGE_LIMIT_MS,
    against: { what: NAIVE, value: median(naive.map((one) => one[figure])) },
  })

  const name = `${count} × ${CARDS_A_BATCH} cards ${what}${rate === 1 ? '' : `, ${rate}×`}`
  const least = Math.min(...lookUpsMs)
  const hasTicks = none[0]!.ms.ticks.length > 0
  return [
    cost(`${name}: main thread a batch, each part in its best round`, best, 'ms', least),
    cost('  of a processor', best, 'ownMs', least),
    cost('  in the middle one of the rounds', middle, 'ms', median(lookUpsMs)),
    told('  the same badges in the page’s own markup, without a script', more(best, 'ms', 'batches', drawn)),
    ...(hasTicks ? [told('  what these add to the ticks, not counted above', more(best, 'ms', 'ticks', drawn))] : []),
    told(
      '  besides what the page itself takes for a batch',
      (best(none, 'ms', 'batches') + best(none, 'ms', 'ticks')) / count,
    ),
    told('  best look-up of the naive script meanwhile', least),
    until('  to the badge', 'medianMs'),
    until('  to the badge, slowest batch', 'longestMs'),
  ]
}
