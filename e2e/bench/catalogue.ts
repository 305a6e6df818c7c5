import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BrowserContext, chromium, type Page } from 'playwright'
import { build, type Rollup } from 'vite'
import { launchOptions } from '../setup/chromium.mjs'
import type { CataloguePage, LookedUp } from './catalogue/page.ts'
import { median } from './median.ts'
import type { Bench, BenchRow } from './types.ts'
import { indexOf } from './userscript/copies.ts'

/** Rows of the index, and the most a warm look-up is meant to take, ms. */
const SIZES = [
  { size: 3_417, target: 4.9, rounds: 15, coldRounds: 5 },
  { size: 20_000, target: 5.8, rounds: 15, coldRounds: 5 },
  { size: 200_000, target: 16.6, rounds: 7, coldRounds: 3 },
]

async function pageScript(): Promise<string> {
  const entry = fileURLToPath(new URL('./catalogue/page.ts', import.meta.url))
  const built = (await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, lib: { entry, formats: ['es'] } },
  })) as Rollup.RollupOutput[]
  return built[0]!.output[0].code
}

/** Serves the page, its script and the index, with the headers that make the page's clock exact. */
async function servePage(script: string, index: string) {
  const bodies: Record<string, [type: string, body: string]> = {
    '/': ['text/html', '<!doctype html><script type="module" src="/page.js"></script>'],
    '/page.js': ['text/javascript', script],
    '/index.json': ['application/json', index],
  }
  const isolated = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' }
  const server = createServer((request, response) => {
    const [type, body] = bodies[request.url ?? ''] ?? ['text/plain', '']
    response.writeHead(body === '' ? 404 : 200, { ...isolated, 'content-type': type }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() }
}

/** 30 names as a page of the code host has them: ten plugins, twenty other repositories. */
function probes(index: string): { names: string[]; others: string[] } {
  const { plugins } = JSON.parse(index) as { plugins: [string][] }
  const at = (share: number) => plugins[Math.floor(share * plugins.length)]![0].split('#')[0]!
  const some = (offset: number) => [
    ...Array.from({ length: 10 }, (_, i) => at((i + offset) / 10)),
    ...Array.from({ length: 20 }, (_, i) => `someone-${i * 7919}/not-a-plugin-${i + offset}`),
  ]
  return { names: some(0.5), others: some(0.2) }
}

type Way = Exclude<keyof CataloguePage, 'fill'>

/** Heap of the page, bytes, after all garbage was collected. */
async function heapBytes(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize
}

async function lookUp(page: Page, way: Way, given: ReturnType<typeof probes>): Promise<LookedUp & { heap: number }> {
  const before = await heapBytes(page)
  const result = await page.evaluate(
    ([way, names, others]) => (globalThis as unknown as { page: CataloguePage }).page[way](names, others),
    [way, given.names, given.others] as const,
  )
  return { ...result, heap: Math.max(0, (await heapBytes(page)) - before) }
}

async function inNewPage<T>(context: BrowserContext, url: string, work: (page: Page) => Promise<T>): Promise<T> {
  const page = await context.newPage()
  try {
    await page.goto(url)
    await page.waitForFunction('globalThis.page !== undefined')
    return await work(page)
  } finally {
    await page.close()
  }
}

async function measure(
  script: string,
  { size, target, rounds, coldRounds }: (typeof SIZES)[number],
): Promise<BenchRow[]> {
  const index = await indexOf(size)
  const given = probes(index)
  const server = await servePage(script, index)
  const profile = await mkdtemp(join(tmpdir(), 'plugmark-bench-'))
  const launch = () => chromium.launchPersistentContext(profile, launchOptions())
  const results: Record<Way, (LookedUp & { heap: number })[]> = { engine: [], naive: [], floor: [] }
  const cold: Record<'engine' | 'naive', number[]> = { engine: [], naive: [] }
  let context = await launch()
  try {
    const filled = await inNewPage(context, server.url, (page) =>
      page.evaluate(() => (globalThis as unknown as { page: CataloguePage }).page.fill()),
    )
    // Taking turns: what else the machine does meets all of them.
    for (let round = 0; round < rounds; round++) {
      for (const way of ['engine', 'naive', 'floor'] as const)
        results[way].push(await inNewPage(context, server.url, (page) => lookUp(page, way, given)))
    }
    for (let round = 0; round < coldRounds; round++) {
      for (const way of ['engine', 'naive'] as const) {
        await context.close()
        context = await launch()
        cold[way].push((await inNewPage(context, server.url, (page) => lookUp(page, way, given))).ms)
      }
    }
    const { engine, naive, floor } = results
    if (engine.some(({ hits }) => hits !== naive[0]!.hits)) throw new Error('The two ways do not find the same.')

    const rowsText = `${size.toLocaleString('en-US')} rows`
    const ms = (list: readonly LookedUp[]) => median(list.map((result) => result.ms))
    const heap = (list: readonly { heap: number }[]) => median(list.map((result) => result.heap))
    return [
      {
        what: `30 look-ups in ${rowsText}, warm`,
        value: ms(engine),
        unit: 'ms',
        target,
        against: { what: 'JSON text and Map of objects', value: ms(naive) },
      },
      { what: '  one value out of IndexedDB, the floor', value: ms(floor), unit: 'ms' },
      { what: '  30 others in the same page', value: median(engine.map(({ againMs }) => againMs)), unit: 'ms' },
      {
        what: '  after a browser start',
        value: median(cold.engine),
        unit: 'ms',
        against: { what: 'JSON text and Map of objects', value: median(cold.naive) },
      },
      {
        what: '  heap kept',
        value: heap(engine),
        unit: 'bytes',
        against: { what: 'JSON text and Map of objects', value: heap(naive) },
      },
      {
        what: '  decoding and storing',
        value: filled.engineMs,
        unit: 'ms',
        against: { what: 'storing one JSON text', value: filled.naiveMs },
      },
      { what: '  longest task of it', value: filled.engineLongestTaskMs, unit: 'ms' },
      {
        what: '  text stored, as one-byte characters',
        value: filled.engineBytes,
        unit: 'bytes',
        against: { what: 'one JSON text', value: filled.naiveBytes },
      },
    ]
  } finally {
    await context.close()
    server.close()
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  }
}

export default {
  name: 'catalogue',
  async run() {
    const script = await pageScript()
    const rows: BenchRow[] = []
    for (const size of SIZES) rows.push(...(await measure(script, size)))
    return rows
  },
} satisfies Bench
