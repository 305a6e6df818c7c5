import { median } from '../median.ts'
import type { BenchRow } from '../types.ts'
import type { BenchBrowser } from './browser.ts'
import { type Longest, type Scrolled, slowScroll } from './measure.ts'
import { lookUps, pace } from './pace.ts'
import type { BenchPage } from './pages.ts'
import type { Size } from './sizes.ts'
import { ALL, inTurns, NAIVE, SHORT } from './turns.ts'
import { undisturbed } from './undisturbed.ts'

/** No longer than a person notices. ms */
export const LONGEST_MS = 50

export function longestRows(
  what: string,
  of: Record<'plugmark' | 'naive', readonly Longest[]>,
  limit: Pick<BenchRow, 'target' | 'pace'>,
): BenchRow[] {
  const row = (name: string, figure: keyof Longest): BenchRow => ({
    what: name,
    value: median(of.plugmark.map((one) => one[figure])),
    unit: 'ms',
    ...limit,
    against: { what: NAIVE, value: median(of.naive.map((one) => one[figure])) },
  })
  return [row(what, 'longestTaskMs'), row('  longest of a processor', 'longestOwnMs')]
}

/**
 * So many that each screen mostly has one in which nothing disturbs it: a frame that only draws took 30 ms in one round and
 * 110 in another.
 */
const ROUNDS = 10

/** Badges that nobody can see may come later: how it is when somebody goes to see them. */
export async function scrolling(browser: BenchBrowser, page: BenchPage, size: Size): Promise<BenchRow[]> {
  const leastLookUpMs = Math.min(...(await lookUps(browser, page)))
  const { plugmark, naive, none } = await inTurns(SHORT ? 1 : ROUNDS, ALL, (way) => slowScroll(browser, page, way))
  const inBestRounds = (rounds: readonly Scrolled[]) =>
    Math.max(...undisturbed(rounds.map(({ longestTasksMs }) => longestTasksMs)))
  const inMiddleRound = (rounds: readonly Scrolled[]) =>
    median(rounds.map(({ longestTasksMs }) => Math.max(...longestTasksMs)))
  const row = (what: string, figure: (rounds: readonly Scrolled[]) => number): BenchRow => ({
    what,
    value: figure(plugmark),
    unit: 'ms',
    against: { what: NAIVE, value: figure(naive) },
  })
  const own = (figure: typeof inBestRounds): BenchRow => ({
    what: '  the page’s own, when one word is put into each screen of it',
    value: figure(none),
    unit: 'ms',
  })
  return [
    {
      ...row(`${page.what}, scrolled through at 4×: longest task, each screen in its best round`, inBestRounds),
      target: LONGEST_MS,
      pace: pace(size, leastLookUpMs),
    },
    own(inBestRounds),
    row('  in the middle one of the rounds', inMiddleRound),
    own(inMiddleRound),
    row('  scroll to the badges in view', (rounds) => median(rounds.map(({ medianMs }) => medianMs))),
    row('  the same, longest', (rounds) => median(rounds.map(({ longestMs }) => longestMs))),
  ]
}
