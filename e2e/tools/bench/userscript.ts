import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { createCatalogue, generate } from '@plugmark/mock-api'
import { startMockServer } from '@plugmark/mock-api/node'
import { buildUserscript } from '@plugmark/userscript/build'
import { type Bench, type BenchRow, median } from './rows.ts'
import { countForcedLayouts, longestTaskMs, totalCpuMs, traceTasks } from './trace.ts'
import { openBrowser, type Tab } from './userscript/browser.ts'
import { naive } from './userscript/naive.ts'
import { benchPages, OTHER_OWNER } from './userscript/pages.ts'
import { recorderSource, type Script, START_MARK } from './userscript/recorder.ts'

const API = 'https://directory.test'
const FRAME_MS = 1000 / 60
const BOTH = ['plugmark', 'naive'] as const
/** The size of the live directory in 2026-11, and a larger one. `faster`: times than the naive script. */
const SIZES = [
  { listings: 3_417, faster: 2.5 },
  { listings: 20_000, faster: 6 },
]

async function builtScript(): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), 'plugmark-bench-'))
  try {
    const { file } = await buildUserscript({ api: API, outDir })
    return await readFile(file, 'utf8')
  } finally {
    await rm(outDir, { recursive: true })
  }
}

/** The index of a made-up catalogue, as a server sends it. */
async function indexOf(listings: number): Promise<string> {
  const server = await startMockServer({ catalogue: createCatalogue({ rows: generate(listings, 1) }) })
  try {
    return await (await fetch(`${server.url}/api/v1/index`)).text()
  } finally {
    await server.close()
  }
}

/** Measures the scripts in turns, so that whatever else the machine does meets all of them. */
async function interleaved<S extends Script, T>(
  rounds: number,
  scripts: readonly S[],
  measure: (script: S) => Promise<T>,
) {
  const results = Object.fromEntries(scripts.map((script) => [script, [] as T[]])) as Record<S, T[]>
  for (let round = 0; round < rounds; round++) {
    for (const script of scripts) results[script].push(await measure(script))
  }
  return results
}

type Runs<T> = Record<'plugmark' | 'naive', T[]>

const start = ({ page }: Tab, script: Script) => page.evaluate((script) => window.bench.start(script), script)

async function heapBytes({ session }: Tab): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  return (await session.send('Runtime.getHeapUsage')).usedSize
}

async function measure(script: string, { listings, faster }: (typeof SIZES)[number]): Promise<BenchRow[]> {
  const index = await indexOf(listings)
  const { plugins } = JSON.parse(index) as { plugins: [fullName: string][] }
  const { cards, links, readme, plain, batches } = benchPages(plugins.map(([fullName]) => fullName))
  await using browser = await openBrowser({
    index,
    pages: new Map([cards, links, readme, plain].map(({ path, markup }) => [path, markup])),
    script: recorderSource({ plugmark: script, naive: `(${naive})(${JSON.stringify(API)})` }, OTHER_OWNER),
  })
  const inTab = async <T>(path: string, work: (tab: Tab) => Promise<T>): Promise<T> => {
    await using tab = await browser.visit(path)
    return await work(tab)
  }

  const row = <T>(what: string, runs: Runs<T>, figure: (run: T) => number, target?: number): BenchRow => ({
    what,
    value: median(runs.plugmark.map(figure)),
    unit: 'ms',
    ...(target !== undefined && { target }),
    against: { what: 'naive', value: median(runs.naive.map(figure)) },
  })
  const starts = (path: string, rounds: number) =>
    interleaved(rounds, BOTH, (script) => inTab(path, (tab) => start(tab, script)))
  const main = (path: string, throttling: number) =>
    interleaved(7, [...BOTH, 'none'] as const, (script) =>
      inTab(path, async (tab) => {
        await tab.session.send('Emulation.setCPUThrottlingRate', { rate: throttling })
        return traceTasks(tab.session, START_MARK, () => start(tab, script))
      }),
    )
  /** CPU time on the main thread that the script adds to the page, compiling it included. @param target share of the naive script's */
  const mainThreadRow = async (what: string, path: string, target: number): Promise<BenchRow> => {
    const runs = await main(path, 1)
    const ofPage = median(runs.none.map(totalCpuMs))
    const added = row(what, runs, (tasks) => totalCpuMs(tasks) - ofPage)
    return { ...added, target: target * added.against!.value }
  }

  const forcedLayoutsRow = async (path: string): Promise<BenchRow> => {
    const runs = await interleaved(3, BOTH, (script) =>
      inTab(path, (tab) => countForcedLayouts(tab.session, START_MARK, () => start(tab, script))),
    )
    return { ...row('  forced layouts', runs, (count) => count), unit: 'layouts' }
  }

  // A first visit stores the index, so that every later start is warm.
  for (const script of BOTH) {
    await inTab(cards.path, async (tab) => {
      await start(tab, script)
      await tab.page.waitForTimeout(2000)
    })
  }
  const firstRequests = browser.requests()

  const size = listings.toLocaleString('en-US')
  const cardStarts = await starts(cards.path, 11)
  const inView = row(`${size} listings: 30 cards, start to last badge in view`, cardStarts, (run) => run.inViewMs, 16)
  const rows: BenchRow[] = [
    inView,
    { ...inView, what: `  ${faster} times faster than the naive script`, target: inView.against!.value / faster },
    row('  to the last badge that it draws by itself', cardStarts, (run) => run.lastMs),
    await mainThreadRow('  main thread, CPU more than the bare page', cards.path, 0.8),
    await forcedLayoutsRow(cards.path),
    row('300 links, start to last badge in view', await starts(links.path, 5), (run) => run.inViewMs),
    await mainThreadRow('  main thread, CPU more than the bare page', links.path, 0.8),
    await forcedLayoutsRow(links.path),
    row('README of 2,000 links, start to last badge in view', await starts(readme.path, 5), (run) => run.inViewMs),
    await mainThreadRow('  main thread, CPU more than the bare page', readme.path, 0.5),
    await forcedLayoutsRow(readme.path),
    await mainThreadRow('page on which nothing is marked, CPU more than the bare page', plain.path, 1),
    row('  longest task at 4× throttling', await main(readme.path, 4), longestTaskMs, 100),
  ]
  for (const everyMs of [350, 50]) {
    const runs = await interleaved(3, BOTH, (script) =>
      inTab(cards.path, async (tab) => {
        await start(tab, script)
        return tab.page.evaluate(([pages, everyMs]) => window.bench.append(pages, everyMs), [batches, everyMs] as const)
      }),
    )
    const what = `${batches.length} batches of 20 cards, one every ${everyMs} ms: append to painted badges`
    rows.push(
      row(what, runs, median, 2 * FRAME_MS),
      row('  slowest', runs, (times) => Math.max(...times)),
    )
  }
  const heap = await interleaved(3, BOTH, (script) =>
    inTab(cards.path, async (tab) => {
      const before = await heapBytes(tab)
      await start(tab, script)
      return (await heapBytes(tab)) - before
    }),
  )
  const kept = row('heap kept in a tab', heap, (bytes) => bytes)
  return [
    ...rows,
    { ...kept, unit: 'bytes', ...(listings < 20_000 && { target: 1_000_000 }) },
    { what: 'requests, first visit of each script', value: firstRequests, unit: 'requests', target: 2 },
    {
      what: 'requests, all later visits together',
      value: browser.requests() - firstRequests,
      unit: 'requests',
      target: 0,
    },
  ]
}

export default {
  name: 'userscript',
  needs: ['chromium'],
  async run() {
    const script = await builtScript()
    const rows: BenchRow[] = [
      { what: 'built script', value: Buffer.byteLength(script), unit: 'bytes', target: 200_000 },
      { what: '  gzip', value: gzipSync(script).length, unit: 'bytes', target: 64_000 },
    ]
    for (const size of SIZES) rows.push(...(await measure(script, size)))
    return rows
  },
} satisfies Bench
