import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { packKoishi } from '@plugmark/harness-plugin/build'
import { type BrowserContext, chromium, type Page } from 'playwright'
import type { Console } from '../../console/console.ts'
import { launchOptions } from '../../setup/chromium.mjs'
import { type Bench, type BenchRow, median } from './rows.ts'
import { type KeptConsole, keptConsole, settled } from './store/console.ts'
import { RECORDER, recorderSource, type StoreRecorder } from './store/recorder.ts'
import { longestTaskMs, traceTasks } from './trace.ts'

const SIZES = [
  { size: 4_000, keyMs: 16, hostBytes: 60_000_000 },
  { size: 20_000, keyMs: 50, hostBytes: 150_000_000 },
] as const
const OPENINGS = 7

/** Pictures are made as fast as they can be: what is measured is the work, not the wait for a screen. */
const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-frame-rate-limit', '--disable-gpu-vsync']

/**
 * Texts that a user types: words that are in many listings, in few, in none; errors; Chinese; and deletions. A filter comes
 * last, as it stays.
 */
const TYPED = [
  'candle kettle',
  'translates',
  'transaltes',
  'memroy',
  '整理',
  '会话 检查',
  'zzzz',
  'category:memory anchor',
]

function call<K extends keyof StoreRecorder>(page: Page, what: K): Promise<Awaited<ReturnType<StoreRecorder[K]>>> {
  return page.evaluate(
    ([name, what]) => (globalThis as unknown as Record<string, Record<string, () => unknown>>)[name]![what]!(),
    [RECORDER, what as string] as const,
  ) as Promise<never>
}

async function open(context: BrowserContext, console: Console, query = ''): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${console.url}/plugmark${query}`)
  await page.waitForFunction(
    (name) => (globalThis as unknown as Record<string, StoreRecorder>)[name]!.opened(),
    RECORDER,
  )
  return page
}

/** Times from a key to the picture, one key after another. */
async function typing(page: Page, size: number): Promise<number[]> {
  await page.getByText(`${size.toLocaleString('en-GB')} plugins`, { exact: true }).waitFor()
  await page.keyboard.press('/')
  const times: number[] = []
  for (const text of TYPED) {
    await page.keyboard.press('Control+A')
    const emptied = times.length > 0 ? ['Delete'] : []
    for (const key of [...emptied, ...text, ...Array<string>(Math.min(3, text.length - 1)).fill('Backspace')]) {
      if (key.length > 1 || key < '\x7f') await page.keyboard.press(key)
      else await page.keyboard.insertText(key)
      await page.waitForFunction(
        (name) => (globalThis as unknown as Record<string, StoreRecorder>)[name]!.drawn() > 0,
        RECORDER,
      )
      times.push(...(await call(page, 'keys')))
    }
  }
  return times
}

const scrolling = async (context: BrowserContext, page: Page) =>
  traceTasks(await context.newCDPSession(page), 'bench:scroll', () => call(page, 'scroll'))

/** From the console's own frame to the first row of the store, each time in a new page. */
async function opening(context: BrowserContext, console: Console): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < OPENINGS; round++) {
    const page = await open(context, console)
    const opened = await call(page, 'opened')
    times.push(opened!.rows - opened!.console)
    await page.close()
  }
  return median(times)
}

/** Resident memory once a page has copied all rows, and some seconds were there to let go of what that took. */
async function memory(context: BrowserContext, kept: KeptConsole, size: number): Promise<number> {
  const console = await kept.start()
  try {
    const page = await open(context, console, '?q=is:all')
    await page.getByText(`${size.toLocaleString('en-GB')} plugins`, { exact: true }).waitFor()
    await page.close()
    return await settled(console)
  } finally {
    await console.close()
  }
}

async function measure({ size, keyMs, hostBytes }: (typeof SIZES)[number]): Promise<BenchRow[]> {
  const browser = await chromium.launch({ ...launchOptions(), args: ARGS })
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    await context.addInitScript(() => localStorage.setItem('koishi.console.config', '{"locale":"en-US"}'))
    await context.addInitScript({ content: recorderSource() })
    await using kept = await keptConsole(size, await context.newPage())
    const text = `${size.toLocaleString('en-US')} records`
    const rows: BenchRow[] = []
    const console = await kept.start()
    try {
      rows.push({
        what: `${text}: console to first rows, from the copy, no network`,
        value: await opening(context, console),
        unit: 'ms',
        target: 300,
      })
      const page = await open(context, console, '?q=is:all')
      const times = await typing(page, size)
      rows.push(
        { what: `${text}: key press to painted results`, value: median(times), unit: 'ms', target: keyMs },
        { what: '  slowest key', value: Math.max(...times), unit: 'ms' },
      )
      await page.goto(`${console.url}/plugmark?q=is:all`)
      await page.getByText(`${size.toLocaleString('en-GB')} plugins`, { exact: true }).waitFor()
      const scrolled = await scrolling(context, page)
      rows.push({
        what: `${text}: longest task of scrolling`,
        value: longestTaskMs(scrolled),
        unit: 'ms',
        target: 50,
      })
      await page.close()
    } finally {
      await console.close()
    }
    const bare = await kept.start({ bare: true })
    const bareBytes = await settled(bare)
    await bare.close()
    const overBare = (what: string, bytes: number): BenchRow => ({
      what: `${text}: host memory over a bare console, ${what}`,
      value: bytes - bareBytes,
      unit: 'bytes',
      target: hostBytes,
      against: { what: 'bare console', value: bareBytes },
    })
    rows.push(
      overBare('from the copy', await memory(context, kept, size)),
      overBare('after it downloaded them itself', kept.downloadedBytes),
    )
    return rows
  } finally {
    await browser.close()
  }
}

async function pageCode(): Promise<BenchRow> {
  const outDir = await mkdtemp(join(tmpdir(), 'plugmark-bench-'))
  const { tarball } = await packKoishi({ outDir })
  await promisify(execFile)('tar', ['xzf', tarball, '-C', outDir])
  const bytes = gzipSync(await readFile(join(outDir, 'package/dist/index.js'))).length
  await rm(outDir, { recursive: true })
  return { what: 'page code, gzip', value: bytes, unit: 'bytes', target: 110_000 }
}

export default {
  name: 'store',
  needs: ['chromium', 'console'],
  async run() {
    const rows = [await pageCode()]
    for (const size of SIZES) rows.push(...(await measure(size)))
    return rows
  },
} satisfies Bench
