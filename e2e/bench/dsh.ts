import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { packDsh } from '@plugmark/harness-plugin/build'
import { createCatalogue, generate } from '@plugmark/mock-api'
import { startMockServer } from '@plugmark/mock-api/node'
import { callStore } from '../dsh/rpc.ts'
import { storeHome } from '../dsh/test.ts'
import { createHome, type Home } from '../harness/home.ts'
import { type Harness, startHarness } from '../harness/running.ts'
import { startRegistry } from '../registry/registry.ts'
import { median } from './median.ts'
import type { Bench, BenchRow } from './types.ts'

const ROUNDS = 12
/** Listings of the copy that is kept. */
const KEPT = 20_000
/** The store is loaded a moment after the harness is up; then both are left to settle. */
const SETTLE_MS = 2_000
const MORE_MS = 50

/** One start of a harness. */
interface Start {
  /** From its process to its page, in ms. */
  readonly ms: number
  /** The processor's time of that, which does not grow when others are busy. */
  readonly cpuMs: number
  /** What its process has in memory when it has settled, and when its store was used. */
  readonly settled: number
  readonly used: number
}

async function start(home: Home, use: (harness: Harness) => Promise<unknown>): Promise<Start> {
  const from = performance.now()
  const harness = await startHarness(home)
  await (await fetch(harness.url)).text()
  const ms = performance.now() - from
  const cpuMs = await cpuOf(harness)
  await pause(SETTLE_MS)
  const settled = await memoryOf(harness)
  await use(harness)
  const used = await memoryOf(harness)
  await harness.close()
  return { ms, cpuMs, settled, used }
}

async function memoryOf({ pid }: Harness): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return 1024 * Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1])
}

/** Of all its threads. The first figure of a thread is the time it was on a processor, in ns. */
async function cpuOf({ pid }: Harness): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`)
  const times = await Promise.all(threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')))
  return times.reduce((sum, text) => sum + Number.parseInt(text, 10) / 1e6, 0)
}

/** Asks for every listing, as a page does. */
async function readAll(harness: Harness): Promise<void> {
  await callStore(harness, 'overview', {})
  for (let from = 0, end = 1; from < end; ) {
    const { value } = (await callStore(harness, 'listings', { from })) as {
      value: { value: { next: number; status: { end: number } } }
    }
    ;({
      next: from,
      status: { end },
    } = value.value)
  }
}

/** Downloads every listing into the copy that the store keeps. */
async function keepAll(home: Home): Promise<void> {
  const harness = await startHarness(home)
  await callStore(harness, 'overview', {})
  await callStore(harness, 'download', {})
  for (let isThere = false; !isThere; ) {
    await pause(500)
    const { value } = (await callStore(harness, 'listings', { from: 0 })) as {
      value: { value: { status: { download: unknown; downloadedAt: number | null } } }
    }
    isThere = value.value.status.download === null && value.value.status.downloadedAt !== null
  }
  await harness.close()
}

export default {
  name: 'dsh: the harness with the store and without, one after the other',
  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'plugmark-bench-'))
    const registry = await startRegistry()
    const api = await startMockServer({ catalogue: createCatalogue({ repositories: generate(KEPT) }) })
    const { tarball } = await packDsh({ outDir: folder })
    const bare = await createHome({ registry: registry.url })
    const fresh = await storeHome({ registry, tarball }, { api: api.url })
    const kept = await storeHome({ registry, tarball }, { api: api.url })
    const runs: { bare: Start; fresh: Start; kept: Start }[] = []
    try {
      await keepAll(kept)
      const nothing = async () => {}
      for (let round = 0; round <= ROUNDS; round++) {
        const run = {
          bare: await start(bare, nothing),
          fresh: await start(fresh, nothing),
          kept: await start(kept, readAll),
        }
        // The first start of each brings its files into the system's cache.
        if (round > 0) runs.push(run)
      }
    } finally {
      await Promise.all([registry.close(), api.close(), rm(folder, { recursive: true })])
      await Promise.all([bare, fresh, kept].map((home) => home.dispose()))
    }
    const copy = `with a copy of ${KEPT.toLocaleString('en-US')} listings`
    const row = (what: string, unit: BenchRow['unit'], of: 'fresh' | 'kept', figure: keyof Start): BenchRow => {
      const alone = figure === 'used' ? 'settled' : figure
      return {
        what,
        unit,
        value: median(runs.map((run) => run[of][figure] - run.bare[alone])),
        ...(unit === 'ms' ? { target: MORE_MS } : {}),
        against: { what: 'the bare harness', value: median(runs.map(({ bare }) => bare[alone])) },
      }
    }
    return [
      row('start, more than without', 'ms', 'fresh', 'ms'),
      row(`the same ${copy}`, 'ms', 'kept', 'ms'),
      row('processor time of the start, more than without', 'ms', 'fresh', 'cpuMs'),
      row(`the same ${copy}`, 'ms', 'kept', 'cpuMs'),
      row('memory after the start, more than without', 'bytes', 'fresh', 'settled'),
      row(`the same ${copy}`, 'bytes', 'kept', 'settled'),
      row('memory after a page read all of them', 'bytes', 'kept', 'used'),
    ]
  },
} satisfies Bench
