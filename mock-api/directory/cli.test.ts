import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 30_000 })

const CLI = fileURLToPath(new URL('cli.ts', import.meta.url))

/** Runs the command to its end. */
function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [CLI, ...args], (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}

/** Starts the command, passes its first line to `use`, and ends it with SIGTERM. */
async function serving(args: string[], use: (line: string, url: string) => Promise<void>): Promise<number | null> {
  const child = spawn(process.execPath, [CLI, 'serve', '--port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(child, 'exit')
  try {
    const { value: line = '' } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()
    await use(line, /http:\/\/\S+:\d+/.exec(line)?.[0] ?? 'no address')
  } finally {
    child.kill('SIGTERM')
  }
  return (await exit)[0]
}

describe('plugmark-directory serve', () => {
  test('prints one line with the address and the success rate, answers, and ends on SIGTERM', async () => {
    const code = await serving([], async (line, url) => {
      expect(line).toMatch(
        /^Plugin directory on http:\/\/127\.0\.0\.1:\d+: \d+ listings, success rate \d+\.\d % of those tested$/,
      )
      expect((await fetch(`${url}/api/v1/index`)).status).toBe(200)
    })
    expect(code).toBe(0)
  })

  test('shuts down cleanly on Ctrl-C, which npm passes on a second time', async () => {
    const child = spawn(process.execPath, [CLI, 'serve', '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    child.kill('SIGINT')
    child.kill('SIGINT')
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  test('takes its size, quirks and fault from options', async () => {
    await serving(['--size', '200', '--seed', '4', '--quirks', 'live', '--no-verdicts'], async (line, url) => {
      expect(line).toContain('200 listings')
      const { total, results } = await (await fetch(`${url}/api/v1/plugins?installCheck=passed&limit=100`)).json()
      expect([total, results.length]).toEqual([200, 96])
      expect(results[0]).not.toHaveProperty('installCheck')
    })
    await serving(['--fault', '500'], async (_, url) => {
      expect((await fetch(`${url}/api/v1/index`)).status).toBe(500)
    })
  })

  test('prints its usage with --help', async () => {
    for (const command of ['serve', 'verify', 'export', 'index', 'worker', 'check']) {
      const { code, stdout } = await run(command, '--help')
      expect(code).toBe(0)
      expect(stdout).toMatch(new RegExp(`^Usage: plugmark-directory ${command} `))
    }
  })

  test.for([
    [['--port', 'many'], '--port takes a whole number from 0 to 65535, not "many"'],
    [['--port', '70000'], '--port takes'],
    [['--size', '-1'], '--size'],
    [['--nothing'], "Unknown option '--nothing'"],
    [['extra'], "Unexpected argument 'extra'"],
    [['--quirks', 'dead'], '--quirks takes "live"'],
    [['--fault', 'boom'], 'There is no fault "boom"'],
    [['--catalogue', 'missing.json'], 'Cannot use missing.json as a catalogue'],
    [['--catalogue', 'missing.json', '--size', '9'], 'leave it out with --catalogue'],
  ] as const)('%j is an error that says what to do', async ([args, message]) => {
    const { code, stdout, stderr } = await run('serve', ...args)
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toContain(message)
    expect(stderr).not.toMatch(/^\s+at /m)
  })
})

describe('plugmark-directory', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plugmark-directory-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  test('lists its commands, and names an unknown one', async () => {
    expect((await run('--help')).stdout).toContain('verify URL')
    const { code, stderr } = await run('publish')
    expect(code).toBe(2)
    expect(stderr).toContain('There is no command "publish".')
  })

  test('reports each clause with verify, exits with 0, and writes JSON and JUnit', async () => {
    await serving([], async (_, url) => {
      const junit = join(folder, 'report.xml')
      const { code, stdout, stderr } = await run('verify', url, '--json', '--junit', junit)
      expect(stderr).toMatch(/^Sends at most \d+ requests to http:/)
      expect(code).toBe(0)
      expect(JSON.parse(stdout)).toMatchObject({ url, counts: { violated: 0, quirk: 0 } })
      expect(await readFile(junit, 'utf8')).toContain('failures="0"')
    })
  })

  test('exits with 1 from verify when a clause is violated', async () => {
    await serving(['--fault', 'html'], async (_, url) => {
      const { code, stdout } = await run('verify', url)
      expect(code).toBe(1)
      expect(stdout).toContain('✗ /api/v1/index: JSON')
    })
  })

  test.for(['ftp://directory.example', 'https://user:secret@directory.example', 'directory', undefined])(
    'refuses %s as an address in verify',
    async (address) => {
      const { code, stderr } = await run('verify', ...(address ? [address] : []))
      expect(code).toBe(2)
      expect(stderr).toMatch(/address/)
      expect(stderr).not.toContain('secret')
    },
  )

  test('writes the index, a document for each listing, headers and checksums with export', async () => {
    await serving([], async (_, url) => {
      const file = join(folder, 'index.json')
      const index = await (await fetch(`${url}/api/v1/index`)).json()
      await writeFile(file, JSON.stringify(index))
      const out = join(folder, 'static')
      const site = 'https://static.example/dir/'
      expect(await run('export', '--catalogue', file, '--site', site, '--out', out)).toMatchObject({ code: 0 })
      const exported = JSON.parse(await readFile(join(out, 'api/v1/index'), 'utf8'))
      expect(exported).toEqual({ ...index, site: 'https://static.example/dir' })
      const sums = await readFile(join(out, 'SHA256SUMS'), 'utf8')
      expect(sums.match(/listings\/.+\.json$/gm)).toHaveLength(index.count)
      expect(await readFile(join(out, '_headers'), 'utf8')).toContain('Access-Control-Allow-Origin: *')
      expect(await run('export', '--catalogue', file, '--site', site, '--out', out)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('is not empty'),
      })
    })
  })

  test('exports a market index with its icons, and no file that it did not write', async () => {
    const market = join(folder, 'market')
    const icon = `icons/${'0'.repeat(16)}.svg`
    const file = join(market, 'index.json')
    await mkdir(join(market, 'icons'), { recursive: true })
    await writeFile(join(market, icon), '<svg/>')
    await writeFile(join(folder, 'listings.json'), JSON.stringify({ results: [] }))
    const write = (plugins: unknown) => writeFile(file, JSON.stringify({ format: 1, plugins }))
    const into = (out: string) =>
      run(
        ...['export', '--catalogue', join(folder, 'listings.json'), '--site', 'https://static.example'],
        ...['--market', file, '--out', join(folder, out)],
      )
    await write([{ icon }, {}, { icon }])
    expect(await into('good')).toMatchObject({ code: 0 })
    expect(await readFile(join(folder, 'good/market/index.json'))).toEqual(await readFile(file))
    expect(await readFile(join(folder, 'good/market', icon), 'utf8')).toBe('<svg/>')
    expect(await readFile(join(folder, 'good/SHA256SUMS'), 'utf8')).toContain(`  market/${icon}\n`)
    expect(await readFile(join(folder, 'good/_headers'), 'utf8')).toContain('sandbox')
    for (const [plugins, problem] of [
      [[{ icon: '../listings.json' }], '../listings.json is no icon'],
      [{}, 'it is no market index of format 1'],
    ] as const) {
      await write(plugins)
      expect(await into('bad')).toMatchObject({ code: 2, stderr: expect.stringContaining(problem) })
    }
  })
})
