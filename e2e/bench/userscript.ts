import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildUserscript } from '@plugmark/userscript/build'
import { median } from './median.ts'
import type { Bench, BenchRow } from './types.ts'
import { type BenchBrowser, openBrowser } from './userscript/browser.ts'
import { copiesOf, indexOf } from './userscript/copies.ts'
import { takeDown } from './userscript/drawn.ts'
import {
  appended,
  type Busy,
  busy,
  heapBytes,
  type Scrolled,
  slowScroll,
  slowStart,
  start,
} from './userscript/measure.ts'
import { naive } from './userscript/naive.ts'
import { BATCHES, type BenchPage, batchesOf, benchPages, CARDS_A_BATCH, repositoriesOf } from './userscript/pages.ts'
import type { Rhythm, Started, Way } from './userscript/recorder.ts'

const API = 'https://directory.test'

/** `SHORT=1 npm run bench -- userscript`: every row, few rounds, the two sizes that decide. */
const SHORT = process.env.SHORT !== undefined

interface Size {
  readonly size: number
  /** A warm start is meant to be this many times faster than the naive script's. */
  readonly faster?: number
  readonly heap?: number
  /** An index this large is refused by the script for its bytes, so that it cannot be measured on a first visit. */
  readonly tooLarge?: true
}

const SIZES: readonly Size[] = [
  { size: 3_417, faster: 3, heap: 300_000 },
  { size: 20_000, faster: 8, heap: 500_000 },
  ...(SHORT ? [] : [{ size: 200_000, tooLarge: true } as const]),
]

/** The size at which batches are appended. */
const BATCH_SIZE = 20_000

const RHYTHMS: readonly { what: string; rhythm: Rhythm }[] = [
  { what: 'one after another', rhythm: { everyMs: 350 } },
  { what: '50 ms apart', rhythm: { everyMs: 50 } },
  { what: 'under a 100 ms ticker', rhythm: { everyMs: 150, tickerMs: 100 } },
]

const rounds = (full: number) => (SHORT ? Math.min(3, full) : full)
const NAIVE = 'naive script'

async function inTurns<W extends string, T>(count: number, ways: readonly W[], measure: (way: W) => Promise<T>) {
  const results = Object.fromEntries(ways.map((way) => [way, [] as T[]])) as Record<W, T[]>
  // Taking turns: what else the machine does meets all of them.
  for (let round = 0; round < rounds(count); round++) {
    for (const way of ways) results[way].push(await measure(way))
  }
  return results
}

const BOTH = ['plugmark', 'naive'] as const
const ALL = ['plugmark', 'naive', 'none'] as const
const ALL_AND_DRAWN = ['plugmark', 'naive', 'none', 'drawn'] as const

async function warm(browser: BenchBrowser, page: BenchPage, { size, faster }: Size, count: number) {
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
  const slow = await inTurns(count >> 1, BOTH, (way) => slowStart(browser, page, way))
  const ofSlow = (way: 'plugmark' | 'naive', what: 'ms' | 'longestTaskMs') => median(slow[way].map((one) => one[what]))
  rows.push(
    {
      what: '  at 4× throttling',
      value: ofSlow('plugmark', 'ms'),
      unit: 'ms',
      against: { what: NAIVE, value: ofSlow('naive', 'ms') },
    },
    {
      what: '  longest task at 4×',
      value: ofSlow('plugmark', 'longestTaskMs'),
      unit: 'ms',
      ...(size <= BATCH_SIZE && { target: 50 }),
      against: { what: NAIVE, value: ofSlow('naive', 'longestTaskMs') },
    },
  )
  return rows
}

/** Badges that nobody can see may come later: how it is when somebody goes to see them. */
async function scrolling(browser: BenchBrowser, page: BenchPage) {
  const { plugmark, naive, none } = await inTurns(SHORT ? 1 : 3, ALL, (way) => slowScroll(browser, page, way))
  const row = (what: string, figure: keyof Scrolled, target: { target?: number } = {}): BenchRow => ({
    what,
    value: median(plugmark.map((one) => one[figure])),
    unit: 'ms',
    ...target,
    against: { what: NAIVE, value: median(naive.map((one) => one[figure])) },
  })
  const own = median(none.map(({ longestTaskMs }) => longestTaskMs))
  return [
    row(`${page.what}, scrolled through at 4×: longest task`, 'longestTaskMs', { target: 50 }),
    { what: '  the page’s own, when one word is put into each screen of it', value: own, unit: 'ms' } as const,
    row('  scroll to the badges in view', 'medianMs'),
    row('  the same, longest', 'longestMs'),
  ]
}

async function footprint(browser: BenchBrowser, pages: ReturnType<typeof benchPages>, { heap }: Size) {
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

async function batches(browser: BenchBrowser, page: BenchPage, markups: readonly string[]) {
  const rows: BenchRow[] = []
  const marked = await takeDown(browser, page, markups)
  for (const rate of [1, 4]) {
    for (const { what, rhythm } of RHYTHMS) {
      const given = { batches: markups, rhythm, rate }
      const { plugmark, naive, none, drawn } = await inTurns(SHORT ? 1 : 3, ALL_AND_DRAWN, (way) =>
        appended(browser, page, way === 'drawn' ? marked : way, given),
      )
      const busy = (list: typeof none) => median(list.map((one) => one.busyMs))
      const besides = (list: typeof none) => Math.max(0, busy(list) - busy(none))
      const name = `${markups.length} × ${CARDS_A_BATCH} cards ${what}${rate === 1 ? '' : ', 4×'}`
      rows.push(
        {
          what: `${name}: main thread a batch`,
          value: besides(plugmark),
          unit: 'ms',
          ...(rate === 1 && { target: 4 }),
          against: { what: NAIVE, value: besides(naive) },
        },
        { what: '  the same badges in the page’s own markup, without a script', value: besides(drawn), unit: 'ms' },
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

async function afterRestart(browser: BenchBrowser, page: BenchPage) {
  const { plugmark, naive } = await inTurns(3, BOTH, async (way) => {
    await browser.restart()
    return (await start(browser, page, way)).ms
  })
  const against = { what: NAIVE, value: median(naive) }
  return [
    { what: '30 cards, after a browser start', value: median(plugmark), unit: 'ms', against },
  ] satisfies BenchRow[]
}

async function firstVisit(browser: BenchBrowser, page: BenchPage) {
  const emptied =
    <T>(work: (browser: BenchBrowser, page: BenchPage, way: Way) => Promise<T>) =>
    async (way: Way) => {
      await browser.empty()
      return work(browser, page, way)
    }
  const fast = await inTurns(3, BOTH, emptied(start))
  const slow = await inTurns(3, BOTH, emptied(slowStart))
  const longest = (way: 'plugmark' | 'naive') => median(slow[way].map((one) => one.longestTaskMs))
  return [
    {
      what: '30 cards, first visit, index request included',
      value: median(fast.plugmark.map(({ ms }) => ms)),
      unit: 'ms',
      against: { what: NAIVE, value: median(fast.naive.map(({ ms }) => ms)) },
    },
    {
      what: '  longest task at 4×',
      value: longest('plugmark'),
      unit: 'ms',
      target: 50,
      against: { what: NAIVE, value: longest('naive') },
    },
  ] satisfies BenchRow[]
}

async function measure(script: string, given: Size): Promise<BenchRow[]> {
  const index = await indexOf(given.size)
  const repositories = repositoriesOf(index)
  const pages = benchPages(repositories)
  const browser = await openBrowser({
    api: API,
    scripts: { plugmark: script, naive: `(${naive})(${JSON.stringify(API)})` },
    pages: new Map(Object.values(pages).map(({ path, markup }) => [path, markup])),
    index,
    copies: await copiesOf(index, API),
  })
  try {
    await browser.fill()
    const rows = [
      ...(await warm(browser, pages.cards, given, 15)),
      ...(await warm(browser, pages.links, given, 7)),
      ...(await warm(browser, pages.readme, given, 7)),
      ...(given.tooLarge ? [] : await scrolling(browser, pages.readme)),
      ...(await footprint(browser, pages, given)),
      ...(await afterRestart(browser, pages.cards)),
    ]
    if (given.size === BATCH_SIZE) {
      const markups = batchesOf(repositories, SHORT ? 10 : BATCHES, CARDS_A_BATCH)
      rows.push(...(await batches(browser, pages.cards, markups)))
    }
    if (browser.requests() > 0) throw new Error('A script asked for the index though it has its copy.')
    if (!given.tooLarge) rows.push(...(await firstVisit(browser, pages.cards)))
    const size = given.size.toLocaleString('en-US')
    return rows.map((row) => (row.what.startsWith(' ') ? row : { ...row, what: `${size} rows: ${row.what}` }))
  } finally {
    await browser.close()
  }
}

/** Whether the first row, the warm start on 30 cards, is the same at both sizes. */
function flat([small]: readonly BenchRow[], [large]: readonly BenchRow[]): BenchRow {
  const { value } = small!
  const against = { what: '3,417 rows', value }
  return { what: '30 cards, 20,000 rows', value: large!.value, unit: 'ms', target: value * 1.5, against }
}

export default {
  name: 'userscript',
  async run() {
    const outDir = await mkdtemp(join(tmpdir(), 'plugmark-bench-script-'))
    const { file } = await buildUserscript({ api: API, outDir })
    const script = await readFile(file, 'utf8')
    await rm(outDir, { recursive: true })
    const measured: BenchRow[][] = []
    for (const size of SIZES) measured.push(await measure(script, size))
    return [...measured.flat(), flat(measured[0]!, measured[1]!)]
  },
} satisfies Bench
