import { median } from '../median.ts'
import type { BenchRow } from '../types.ts'
import type { BenchBrowser } from './browser.ts'
import { type Longest, type Scrolled, slowScroll } from './measure.ts'
import type { BenchPage } from './pages.ts'
import { ALL, inTurns, NAIVE, SHORT } from './turns.ts'

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
export async function scrolling(browser: BenchBrowser, page: BenchPage) {
  const { plugmark, naive, none } = await inTurns(SHORT ? 1 : 3, ALL, (way) => slowScroll(browser, page, way))
  const row = (what: string, figure: keyof Scrolled): BenchRow => ({
    what,
    value: median(plugmark.map((one) => one[figure])),
    unit: 'ms',
    against: { what: NAIVE, value: median(naive.map((one) => one[figure])) },
  })
  const own = median(none.map(({ longestOwnMs }) => longestOwnMs))
  return [
    ...longestRows(`${page.what}, scrolled through at 4×: longest task`, { plugmark, naive }),
    { what: '  the page’s own, when one word is put into each screen of it', value: own, unit: 'ms' } as const,
    row('  scroll to the badges in view', 'medianMs'),
    row('  the same, longest', 'longestMs'),
  ]
}
