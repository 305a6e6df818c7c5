import type { BenchBrowser } from './browser.ts'
import { start } from './measure.ts'
import type { BenchPage } from './pages.ts'
import type { Size } from './sizes.ts'
import { inTurns } from './turns.ts'

/**
 * How many times slower this machine is than the one that the limits in ms are from, as the naive script tells, whose
 * look-up was measured there as well; at least 1.
 *
 * @param lookUpMs what it takes here: the least of several to judge a least, one in the middle to judge another such
 */
export const pace = ({ lookUpMs: there = Number.POSITIVE_INFINITY }: Size, lookUpMs: number): number =>
  Math.max(1, lookUpMs / there)

/** What look-ups of the naive script take at present, ms. */
export async function lookUps(browser: BenchBrowser, page: BenchPage): Promise<number[]> {
  const { naive } = await inTurns(7, ['naive'], (way) => start(browser, page, way))
  return naive.map(({ naiveIndexMs }) => naiveIndexMs)
}
