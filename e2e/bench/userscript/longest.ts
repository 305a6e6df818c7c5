import { median } from '../median.ts'
import type { BenchRow } from '../types.ts'
import type { BenchBrowser } from './browser.ts'
import { type Longest, type Scrolled, slowScroll } from './measure.ts'
import type { BenchPage } from './pages.ts'
import { ALL, inTurns, NAIVE, SHORT } from './turns.ts'
import { undisturbed } from './undisturbed.ts'

/** Of all but the size that decides nothing it is meant to be no longer than a person notices. */
export function longestRows(
  what: string,
  of: Record<'plugmark' | 'naive', readonly Longest[]>,
  decides = true,
): BenchRow[] {
  const row = (name: string, figure: keyof Longest): BenchRow => ({
    what: name,
    value: median(of.plugmark.map((one) => one[figure])),
    unit: 'ms',
    ...(decides && { target: 50 }),
    against: { what: NAIVE, value: median(of.naive.map((one) => one[figure])) },
  })
  return [row(what, 'longestTaskMs'), row('  longest of a processor', 'longestOwnMs')]
}

/** Badges that nobody can see may come later: how it is when somebody goes to see them. */
export async function scrolling(browser: BenchBrowser, page: BenchPage): Promise<BenchRow[]> {
  const { plugmark, naive, none } = await inTurns(SHORT ? 1 : 7, ALL, (way) => slowScroll(browser, page, way))
  const row = (what: string, figure: (rounds: readonly Scrolled[]) => number, target?: number): BenchRow => ({
    what,
    value: figure(plugmark),
    unit: 'ms',
    ...(target !== undefined && { target }),
    against: { what: NAIVE, value: figure(naive) },
  })
  const own = (figure: (rounds: readonly Scrolled[]) => number): BenchRow => ({
    what: '  the page’s own, when one word is put into each screen of it',
    value: figure(none),
    unit: 'ms',
  })
  const inBestRounds = (rounds: readonly Scrolled[]) =>
    Math.max(...undisturbed(rounds.map(({ longestTasksMs }) => longestTasksMs)))
  const inMiddleRound = (rounds: readonly Scrolled[]) =>
    median(rounds.map(({ longestTasksMs }) => Math.max(...longestTasksMs)))
  return [
    row(`${page.what}, scrolled through at 4×: longest task, each screen in its best round`, inBestRounds, 50),
    own(inBestRounds),
    row('  in the middle one of the rounds', inMiddleRound, 50),
    own(inMiddleRound),
    row('  scroll to the badges in view', (rounds) => median(rounds.map(({ medianMs }) => medianMs))),
    row('  the same, longest', (rounds) => median(rounds.map(({ longestMs }) => longestMs))),
  ]
}
