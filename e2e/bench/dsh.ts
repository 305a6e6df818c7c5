import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { packDsh } from '@plugmark/harness-plugin/build'
import { createCatalogue, generate } from '@plugmark/mock-api'
import { type MockServer, startMockServer } from '@plugmark/mock-api/node'
import { callStore } from '../dsh/rpc.ts'
import { storeHome } from '../dsh/test.ts'
import { createHome, type Home } from '../harness/home.ts'
import { type Harness, startHarness } from '../harness/running.ts'
import { startRegistry } from '../registry/registry.ts'
import { aHost } from '../store/host.ts'
import type { Bench, BenchRow } from './types.ts'

const ROUNDS = 5
/** Listings of a kept copy. */
const SIZES = [4_000, 20_000] as const
/** After its page is there, a harness goes on for a moment. */
const SETTLE_MS = 1_500
const BOOT_TARGET_MS = 50

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!

interface Booted {
  /** From the start of its process to its page. */
  readonly ms: number
  /** Of the process, when it has settled. */
  readonly bytes: number
}

async function boot(home: Home, use: (harness: Harness) => Promise<unknown> = async () => {}): Promise<Booted> {
  const from = performance.now()
  const harness = await startHarness(home)
  await (await fetch(harness.url)).text()
  const ms = performance.now() - from
  await use(harness)
  await new Promise((settled) => setTimeout(settled, SETTLE_MS))
  const status = await readFile(`/proc/${harness.pid}/status`, 'utf8')
  await harness.close()
  return { ms, bytes: 1024 * Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) }
}

/** A home whose store has a copy of every listing, and whose directory has gone. */
async function keptHome(make: (api: string) => Promise<Home>, size: number): Promise<Home> {
  const api = await startMockServer({ catalogue: createCatalogue({ repositories: generate(size) }) })
  const home = await make(api.url)
  const host = aHost(home, { baseUrl: api.url, stateDir: join(home.home, 'plugmark') })
  const { promise: done, resolve } = Promise.withResolvers<void>()
  host.subscribe((event) => {
    if (event.type === 'catalogue' && event.status.downloadedAt !== null && event.status.download === null) resolve()
  })
  await host.calls.overview({})
  await host.calls.download({})
  await done
  await host.close()
  await api.close()
  return home
}

export default {
  name: 'dsh: the harness with and without the store',
  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'plugmark-bench-'))
    const registry = await startRegistry()
    const api: MockServer = await startMockServer()
    const { tarball } = await packDsh({ outDir: folder })
    const make = (url: string) => storeHome({ registry, tarball }, { api: url })
    const bare = await createHome({ registry: registry.url })
    const homes: Record<string, Home> = { 'the store': await make(api.url) }
    for (const size of SIZES)
      homes[`the store and a kept copy of ${size.toLocaleString('en-US')} listings`] = await keptHome(make, size)
    const runs = new Map<string, { booted: Booted; without: Booted }[]>(Object.keys(homes).map((what) => [what, []]))
    try {
      // In turns, as a machine gets busier and quieter; the first of each warms the file cache up.
      for (let round = 0; round <= ROUNDS; round++) {
        for (const [what, home] of Object.entries(homes)) {
          const without = await boot(bare)
          const booted = await boot(home)
          if (round > 0) runs.get(what)?.push({ booted, without })
        }
      }
      const used = await boot(homes['the store']!, (harness) => callStore(harness, 'overview', {}))
      console.log(used.bytes)
    } finally {
      await Promise.all([registry.close(), api.close(), bare.dispose(), rm(folder, { recursive: true })])
      for (const home of Object.values(homes)) await home.dispose()
    }
    return [...runs].flatMap(([what, pairs]): BenchRow[] => [
      {
        what: `boot, with ${what}: more than without`,
        value: median(pairs.map(({ booted, without }) => booted.ms - without.ms)),
        unit: 'ms',
        target: BOOT_TARGET_MS,
        against: { what: 'the bare harness', value: median(pairs.map(({ without }) => without.ms)) },
      },
      {
        what: `memory, with ${what}: more than without`,
        value: median(pairs.map(({ booted, without }) => booted.bytes - without.bytes)),
        unit: 'bytes',
        against: { what: 'the bare harness', value: median(pairs.map(({ without }) => without.bytes)) },
      },
    ])
  },
} satisfies Bench
