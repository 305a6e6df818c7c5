import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packCli } from '@plugmark/harness-plugin/build'
import { embeddedCatalogue } from '@plugmark/mock-api'
import { startMockServer } from '@plugmark/mock-api/node'
import { installProgram } from '../../cli/program.ts'
import { type Figure, median } from './figures.ts'

const ROUNDS = 11

/** Returns the time from the start of a program to the first byte that it writes, ms. */
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

/** Times a search from the stored copy to its first byte, in turn with npm. */
export async function measureCli(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'plugmark-bench-'))
  const figures: Figure[] = []
  try {
    const program = await installProgram((await packCli({ outDir: folder })).tarball, folder)
    const { PATH } = process.env
    for (const [size, share] of [
      [4_000, 1.5],
      [20_000, 2.5],
    ] as const) {
      const server = await startMockServer({ catalogue: embeddedCatalogue({ size }) })
      const env = { PATH, HOME: folder, PLUGMARK_API: server.url, XDG_STATE_HOME: join(folder, `state-${size}`) }
      const options = { env, maxBuffer: Number.POSITIVE_INFINITY }
      await promisify(execFile)(process.execPath, [program, 'index', '--refresh'], options)
      await server.close()
      const [npm, search]: [number[], number[]] = [[], []]
      for (let round = 0; round < ROUNDS; round++) {
        npm.push(await firstByte('npm', ['--version'], env))
        search.push(await firstByte(process.execPath, [program, 'search', 'notes', '--json'], env))
      }
      figures.push({
        what: `plugmark search, from the copy of ${size.toLocaleString('en-US')} listings, to the first byte`,
        ms: median(search),
        target: share * median(npm),
        against: { what: 'npm --version', ms: median(npm) },
      })
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return figures
}
