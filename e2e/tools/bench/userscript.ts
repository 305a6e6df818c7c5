import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCatalogue, generate } from '@plugmark/mock-api'
import { startMockServer } from '@plugmark/mock-api/node'
import { buildUserscript } from '@plugmark/userscript/build'
import { mainThreadMs } from '../../userscript/trace.ts'
import { type Figure, median } from './figures.ts'
import { openBrowser, type Tab } from './userscript/browser.ts'
import { naive } from './userscript/naive.ts'
import { benchPages, OTHER_OWNER } from './userscript/pages.ts'
import { recorderSource, type Script, START_MARK } from './userscript/recorder.ts'

const API = 'https://directory.test'
const ROUNDS = 7
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

/** Measures the scripts in turns, so that whatever else the machine does meets all of them. @returns their medians */
async function interleaved<S extends Script>(scripts: readonly S[], measure: (script: S) => Promise<number>) {
  const results = Object.fromEntries(scripts.map((script) => [script, [] as number[]])) as Record<S, number[]>
  for (let round = 0; round < ROUNDS; round++) {
    for (const script of scripts) results[script].push(await measure(script))
  }
  return (script: S) => median(results[script])
}

const start = ({ page }: Tab, script: Script) => page.evaluate((script) => window.bench.start(script), script)

async function measure(script: string, { listings, faster }: (typeof SIZES)[number]): Promise<Figure[]> {
  const index = await indexOf(listings)
  const { plugins } = JSON.parse(index) as { plugins: [fullName: string][] }
  const { cards, links, readme, plain } = benchPages(plugins.map(([fullName]) => fullName))
  await using browser = await openBrowser({
    index,
    pages: new Map([cards, links, readme, plain].map(({ path, markup }) => [path, markup])),
    script: recorderSource({ plugmark: script, naive: `(${naive})(${JSON.stringify(API)})` }, OTHER_OWNER),
  })
  const inTab = async <T>(path: string, work: (tab: Tab) => Promise<T>): Promise<T> => {
    await using tab = await browser.visit(path)
    return await work(tab)
  }
  /** CPU time on the main thread that the script adds to the page, compiling it included. @param share of the naive script's */
  const mainThread = async (what: string, path: string, share: number): Promise<Figure> => {
    const took = await interleaved(['plugmark', 'naive', 'none'], (script) =>
      inTab(path, (tab) => mainThreadMs(tab.session, START_MARK, () => start(tab, script))),
    )
    const naiveMs = took('naive') - took('none')
    return {
      what: `${what}, CPU of the main thread more than the bare page`,
      ms: took('plugmark') - took('none'),
      target: share * naiveMs,
      against: { what: 'naive', ms: naiveMs },
    }
  }

  // A first visit stores the index, so that every later start is warm.
  for (const script of ['plugmark', 'naive'] as const) {
    await inTab(cards.path, async (tab) => {
      await start(tab, script)
      await tab.page.waitForTimeout(2000)
    })
  }
  const inView = await interleaved(['plugmark', 'naive'], (script) => inTab(cards.path, (tab) => start(tab, script)))
  return [
    {
      what: `${listings.toLocaleString('en-US')} listings: 30 cards, start to last badge in view`,
      ms: inView('plugmark'),
      target: Math.min(16, inView('naive') / faster),
      against: { what: 'naive', ms: inView('naive') },
    },
    await mainThread('30 cards', cards.path, 0.8),
    await mainThread('300 links', links.path, 0.8),
    await mainThread('README of 2,000 links', readme.path, 0.5),
    await mainThread('page on which nothing is marked', plain.path, 1),
  ]
}

/** Times the built userscript beside a naive one. */
export async function measureUserscript(): Promise<Figure[]> {
  const script = await builtScript()
  const figures: Figure[] = []
  for (const size of SIZES) figures.push(...(await measure(script, size)))
  return figures
}
