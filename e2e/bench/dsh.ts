import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { packDsh } from '@plugmark/harness-plugin/build'
import { createCatalogue, generate } from '@plugmark/mock-api'
import { startMockServer } from '@plugmark/mock-api/node'
import { chromium } from 'playwright'
import { storeHome } from '../dsh/test.ts'
import { createHome, type Home } from '../harness/home.ts'
import { startHarness } from '../harness/running.ts'
import { startRegistry } from '../registry/registry.ts'
import { launchOptions } from '../setup/chromium.mjs'
import { keepAll, readAll } from './dsh/listings.ts'
import { type Opening, open } from './dsh/page.ts'
import { type Start, start } from './dsh/start.ts'
import { median } from './median.ts'
import type { Bench, BenchRow } from './types.ts'

const ROUNDS = 12
/** Listings of the copy that is kept. */
const KEPT = 20_000
const MORE_MS = 100
const BROWSER_HALF_BYTES = 140 * 1024

type Runs<T> = readonly { readonly [of: string]: T; readonly bare: T }[]

/** In turns, as a machine gets busier and quieter. The first turn brings files into the system's cache. */
async function inTurns<T>(turn: () => Promise<Runs<T>[number]>): Promise<Runs<T>> {
  await turn()
  const runs: Runs<T>[number][] = []
  for (let round = 0; round < ROUNDS; round++) runs.push(await turn())
  return runs
}

const starts = (homes: { readonly bare: Home; readonly fresh: Home; readonly kept: Home }) =>
  inTurns<Start>(async () => ({
    bare: await start(homes.bare, async () => {}),
    fresh: await start(homes.fresh, async () => {}),
    kept: await start(homes.kept, readAll),
  }))

async function openings(homes: { readonly bare: Home; readonly fresh: Home }): Promise<Runs<Opening>> {
  const browser = await chromium.launch(launchOptions())
  const [bare, fresh] = await Promise.all([startHarness(homes.bare), startHarness(homes.fresh)])
  try {
    return await inTurns(async () => ({
      bare: await open(browser, bare.address),
      fresh: await open(browser, fresh.address),
    }))
  } finally {
    await Promise.all([browser.close(), bare.close(), fresh.close()])
  }
}

/** How much more it is with the store than without. */
function more<K extends string>(
  runs: Runs<Readonly<Record<K, number>>>,
  what: string,
  of: 'fresh' | 'kept',
  figure: K,
  { than = figure, unit = 'ms' as BenchRow['unit'] } = {},
): BenchRow {
  return {
    what,
    unit,
    value: median(runs.map((run) => run[of]![figure] - run.bare[than])),
    ...(unit === 'ms' ? { target: MORE_MS } : {}),
    against: { what: 'the bare harness', value: median(runs.map(({ bare }) => bare[than])) },
  }
}

async function browserHalf(tarball: string): Promise<BenchRow> {
  const { stdout } = await promisify(execFile)('tar', ['xzOf', tarball, 'package/lib/client.js'])
  return { what: 'browser half, gzip', value: gzipSync(stdout).length, unit: 'bytes', target: BROWSER_HALF_BYTES }
}

/** What people run. */
const HARNESS = '0.2.1-rc.2'

export default {
  name: 'dsh: the harness with the store and without, one after the other',
  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'plugmark-bench-'))
    const registry = await startRegistry()
    const api = await startMockServer({ catalogue: createCatalogue({ repositories: generate(KEPT) }) })
    const { tarball } = await packDsh({ outDir: folder })
    const homes = {
      bare: await createHome({ registry: registry.url, version: HARNESS }),
      fresh: await storeHome({ registry, tarball, harnessVersion: HARNESS }, { api: api.url }),
      kept: await storeHome({ registry, tarball, harnessVersion: HARNESS }, { api: api.url }),
    }
    try {
      await keepAll(homes.kept)
      const started = await starts(homes)
      const opened = await openings(homes)
      const copy = `the same with a copy of ${KEPT.toLocaleString('en-US')} listings`
      const bytes = { unit: 'bytes' } as const
      return [
        more(started, 'start, more than without', 'fresh', 'ms'),
        more(started, copy, 'kept', 'ms'),
        more(started, 'processor time of the start, more than without', 'fresh', 'cpuMs'),
        more(started, copy, 'kept', 'cpuMs'),
        more(opened, 'page until it can be used, more than without', 'fresh', 'ms'),
        more(opened, 'work of its main thread, more than without', 'fresh', 'workMs'),
        more(started, 'memory after the start, more than without', 'fresh', 'settled', bytes),
        more(started, copy, 'kept', 'settled', bytes),
        more(started, 'memory after a page read all of them', 'kept', 'used', { than: 'settled', ...bytes }),
        await browserHalf(tarball),
      ]
    } finally {
      await Promise.all([registry.close(), api.close(), rm(folder, { recursive: true })])
      await Promise.all(Object.values(homes).map((home) => home.dispose()))
    }
  },
} satisfies Bench
