import { readdir, readFile } from 'node:fs/promises'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { Home } from '../../harness/home.ts'
import { type Harness, startHarness } from '../../harness/running.ts'

/** What is done when the harness is up is over by then. */
const SETTLE_MS = 2_000

/** One start of a harness. */
export interface Start {
  /** From its process to its page, in ms. */
  readonly ms: number
  /** The processor's time of that, which does not grow when others are busy. */
  readonly cpuMs: number
  /** What its process has in memory when it has settled, and when its store was used. */
  readonly settled: number
  readonly used: number
}

export async function start(home: Home, use: (harness: Harness) => Promise<unknown>): Promise<Start> {
  const from = performance.now()
  const harness = await startHarness(home)
  await (await fetch(harness.url, { headers: { cookie: harness.cookie } })).text()
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
