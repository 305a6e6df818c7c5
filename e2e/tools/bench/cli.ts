import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { promisify } from 'node:util'
import { packCli } from '@plugmark/harness-plugin/build'
import { embeddedCatalogue } from '@plugmark/mock-api'
import { startMockServer } from '@plugmark/mock-api/node'
import { installProgram } from '../../cli/program.ts'
import { type Bench, type BenchRow, median } from './rows.ts'

const run = promisify(execFile)
const ROUNDS = 11
const TARGETS = { capabilities: 150, search: 300 } as const

/** From the start of a program to the first byte that it writes, ms. */
function firstByte(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const from = performance.now()
  let ms: number | null = null
  const child = execFile(program, args, { env, maxBuffer: Number.POSITIVE_INFINITY }, (error) =>
    error || ms === null ? reject(error) : resolve(ms),
  )
  child.stdout?.once('data', () => {
    ms = performance.now() - from
  })
  return promise
}

export default {
  name: 'cli: from the start to the first byte',
  needs: [],
  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'plugmark-bench-'))
    const rows: BenchRow[] = []
    try {
      const program = await installProgram((await packCli({ outDir: folder })).tarball, folder)
      const { PATH } = process.env
      for (const size of [4_000, 20_000]) {
        const server = await startMockServer({ catalogue: embeddedCatalogue({ size }) })
        const env = { PATH, HOME: folder, PLUGMARK_API: server.url, XDG_STATE_HOME: join(folder, `state-${size}`) }
        await run(process.execPath, [program, 'index', '--refresh'], { env, maxBuffer: Number.POSITIVE_INFINITY })
        await server.close()
        const times = { npm: [], capabilities: [], search: [] } as Record<'npm' | keyof typeof TARGETS, number[]>
        for (let round = 0; round < ROUNDS; round++) {
          times.npm.push(await firstByte('npm', ['--version'], env))
          times.capabilities.push(await firstByte(process.execPath, [program, 'capabilities', '--json'], env))
          times.search.push(await firstByte(process.execPath, [program, 'search', 'notes', '--json'], env))
        }
        const against = { what: 'npm --version', value: median(times.npm) }
        const isReal = size === 4_000
        if (isReal)
          rows.push({
            what: 'plugmark capabilities --json',
            value: median(times.capabilities),
            unit: 'ms',
            target: TARGETS.capabilities,
            against,
          })
        rows.push({
          what: `plugmark search, from the copy of ${size.toLocaleString('en-US')} listings`,
          value: median(times.search),
          unit: 'ms',
          ...(isReal ? { target: TARGETS.search } : {}),
          against,
        })
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
    return rows
  },
} satisfies Bench
