import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { embeddedCatalogue } from '../../mock/catalogue/embedded.ts'
import { toRecord } from '../catalogue.ts'
import { loadCatalogue } from '../load.ts'
import { isInShard } from './check.ts'
import { openRuns } from './runs.ts'

const CLI = fileURLToPath(new URL('../cli.ts', import.meta.url))
/** Listings that are published packages. */
const LISTINGS = embeddedCatalogue()
  .listings.filter(({ record }) => record.install !== null && record.npmPackage !== null)
  .slice(0, 6)
const NAMES = LISTINGS.map(({ record }) => record.fullName)
const PACKAGES = LISTINGS.map(({ record }) => record.npmPackage!)

let folder: string
let registry: ReturnType<typeof createServer>
/** Newest version of every package. */
let version: string
beforeEach(async () => {
  version = '1.0.0'
  registry = createServer((_, response) => response.end(JSON.stringify({ 'dist-tags': { latest: version } })))
  registry.listen(0, '127.0.0.1')
  folder = await mkdtemp(join(tmpdir(), 'plugmark-check-'))
  const results = LISTINGS.map((listing) => ({ ...toRecord(listing, 'https://directory.example'), installCheck: null }))
  await writeFile(join(folder, 'catalogue.json'), JSON.stringify({ results }))
  await writeFile(join(folder, 'dsh'), '#!/bin/sh\necho 0.2.1\n', { mode: 0o755 })
})
afterEach(async () => {
  registry.close()
  await rm(folder, { recursive: true })
})

/** Writes a `plugmark` that notes each run, and prints what `answer` returns: a body of a function of `spec` and `nth`. */
async function writePlugmark(answer: string): Promise<void> {
  const source = `#!${process.execPath}
    const { appendFileSync, readFileSync } = require('node:fs')
    process.on('SIGINT', () => { appendFileSync('stopped', '1'); process.exit(130) })
    const [, , , spec] = process.argv
    appendFileSync('ran', spec + '\\n')
    const nth = readFileSync('ran', 'utf8').split('\\n').filter((line) => line === spec).length
    const found = (verdict, blockedBuilds = [], kind = 'failed') => ({ data: { results: [{ verdict, kind, blockedBuilds,
      versions: { harness: '0.2.1' }, startedAt: new Date().toISOString() }] } })
    const said = ((spec, nth) => { ${answer} })(spec, nth)
    if (said) console.log(typeof said === 'string' ? said : JSON.stringify(said))`
  await writeFile(join(folder, 'plugmark'), source, { mode: 0o755 })
}

const argsOf = (args: readonly string[]) => {
  const { port } = registry.address() as AddressInfo
  const programs = ['--plugmark', './plugmark', '--harness', './dsh', '--registry', `http://127.0.0.1:${port}`]
  return [CLI, 'check', '--catalogue', 'catalogue.json', '--out', 'out.json', ...programs, ...args]
}
function check(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, argsOf(args), { cwd: folder }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}
const ran = async () => (await readFile(join(folder, 'ran'), 'utf8')).trim().split('\n')
async function verdicts(): Promise<Record<string, string | null>> {
  const { results } = JSON.parse(await readFile(join(folder, 'out.json'), 'utf8'))
  return Object.fromEntries(
    results.map((one: { npmPackage: string; installCheck: string }) => [one.npmPackage, one.installCheck]),
  )
}

test('fills in verdicts, instants, build scripts and the success rate, in a document that is a catalogue', async () => {
  await writePlugmark(`return spec === ${JSON.stringify(PACKAGES[0])} ? found('needs-approval', [{ package: 'esbuild' }])
    : spec === ${JSON.stringify(PACKAGES[1])} ? found('not-a-layer') : found('passed')`)
  const { code, stdout } = await check('--runs', 'runs')
  expect(code).toBe(0)
  expect(stdout).toContain(
    '6 checked, 0 known from earlier runs, 0 could not be run, 0 without a command. 6 listings, success rate 100.0 %',
  )
  const { listings, rejected, successRate } = await loadCatalogue(join(folder, 'out.json'))
  expect(rejected).toEqual([])
  expect(successRate).toBe(1)
  expect(listings[0]?.record).toMatchObject({
    installCheck: 'needs-approval',
    installCheckedAt: expect.stringMatching(/^\d{4}-/),
    blockedBuilds: ['esbuild'],
  })
})

test('needs two failures in a row for a failure, and one run for anything else', async () => {
  await writePlugmark(`return found(spec === ${JSON.stringify(PACKAGES[0])} ? 'failed'
    : spec === ${JSON.stringify(PACKAGES[1])} && nth === 1 ? 'timeout' : 'passed')`)
  expect((await check('--runs', 'runs')).code).toBe(0)
  expect(await verdicts()).toMatchObject({ [PACKAGES[0]!]: 'failed', [PACKAGES[1]!]: 'passed' })
  const counts = Object.groupBy(await ran(), (spec) => spec)
  expect(PACKAGES.map((name) => counts[name]?.length)).toEqual([2, 2, 1, 1, 1, 1])
})

test('repeats no run for the same version, and runs again for a new version or another harness', async () => {
  await writePlugmark(`return found('passed')`)
  await check('--runs', 'runs')
  const again = await check('--runs', 'runs')
  expect(again.stdout).toContain('0 checked, 6 known from earlier runs')
  expect(await ran()).toHaveLength(6)
  version = '1.0.1'
  await writePlugmark(`return found('not-a-layer')`)
  await check('--runs', 'runs')
  expect(await ran()).toHaveLength(12)
  expect(await verdicts()).toEqual(Object.fromEntries(PACKAGES.map((name) => [name, 'not-a-layer'])))
  await writeFile(join(folder, 'dsh'), '#!/bin/sh\necho 0.3.0\n')
  await check('--runs', 'runs')
  expect(await ran()).toHaveLength(18)
})

test('checks a listing again whose version cannot be read', async () => {
  await writePlugmark(`return found('passed')`)
  registry.removeAllListeners('request').on('request', (_, response) => response.writeHead(500).end())
  await check('--runs', 'runs')
  expect((await check('--runs', 'runs')).stdout).toContain('6 checked, 0 known from earlier runs')
  expect(await ran()).toHaveLength(12)
})

test('names a listing that has no command', async () => {
  await writePlugmark(`return found('passed')`)
  const [first, ...rest] = LISTINGS.map((listing) => toRecord(listing, 'https://directory.example'))
  const results = [{ ...first, install: null, installable: false }, ...rest]
  await writeFile(join(folder, 'catalogue.json'), JSON.stringify({ results }))
  const { stdout } = await check('--runs', 'runs')
  expect(stdout).toContain(`${NAMES[0]}: has no install command`)
  expect(stdout).toContain('5 checked, 0 known from earlier runs, 0 could not be run, 1 without a command.')
})

test('finds the verdicts of 20,000 listings in time that grows with their number', async () => {
  const line = (number: number) =>
    JSON.stringify({
      ...{ spec: `package-${number}`, version: '1.0.0', harness: '0.2.1', verdict: 'passed' },
      ...{ checkedAt: '2026-01-01T00:00:00.000Z', blockedBuilds: [] },
    })
  const file = join(folder, 'many')
  const secondsFor = async (count: number) => {
    await writeFile(file, Array.from({ length: count }, (_, number) => line(number)).join('\n'))
    const runs = await openRuns([file])
    const start = process.cpuUsage()
    for (let number = 0; number < count; number++) expect(runs.newest(`package-${number}`)?.verdict).toBe('passed')
    return process.cpuUsage(start).user / 1e6
  }
  expect(await secondsFor(20_000)).toBeLessThan(5)
})

test('resumes after it was killed in the middle of a line', async () => {
  await writePlugmark(`if (nth === 1 && spec === ${JSON.stringify(PACKAGES[3])}) process.kill(process.ppid, 'SIGKILL')
    return found('passed')`)
  const child = spawn(process.execPath, argsOf(['--runs', 'runs', '--parallel', '1']), { cwd: folder, stdio: 'ignore' })
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
  await appendFile(join(folder, 'runs'), '{"spec":"half a li')
  const { code, stdout } = await check('--runs', 'runs')
  expect(code).toBe(0)
  expect(stdout).toContain('3 checked, 3 known from earlier runs')
  expect((await check('--runs', 'runs')).stdout).toContain('6 known from earlier runs')
})

test('stops its programs on SIGTERM, and writes what it has found', async () => {
  await writePlugmark(`if (spec !== ${JSON.stringify(PACKAGES[0])}) return void setInterval(() => {}, 1000)
    return found('passed')`)
  const { promise: isSecondRunning, resolve } = Promise.withResolvers<void>()
  const watcher = watch(folder, () => {
    ran().then(
      (specs) => specs.includes(PACKAGES[1]!) && resolve(),
      () => {},
    )
  })
  const child = spawn(process.execPath, argsOf(['--runs', 'runs', '--parallel', '1']), { cwd: folder, stdio: 'ignore' })
  await isSecondRunning
  watcher.close()
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([130, null])
  expect(await readFile(join(folder, 'stopped'), 'utf8')).toBe('1')
  expect(Object.values(await verdicts()).filter((verdict) => verdict !== null)).toEqual(['passed'])
})

test('puts the runs of shards together, each listing in one shard', async () => {
  await writePlugmark(`return found('passed')`)
  await check('--runs', 'one', '--shard', '1/2')
  const first = (await ran()).length
  expect(first).toBe(NAMES.filter((name) => isInShard(name, { number: 1, of: 2 })).length)
  expect(first % 6).toBeGreaterThan(0)
  await check('--runs', 'two', '--shard', '2/2')
  expect((await ran()).toSorted()).toEqual(PACKAGES.toSorted())
  await check('--runs', 'none', '--runs', 'one', '--runs', 'two', '--only-write')
  expect(Object.values(await verdicts())).toEqual(Array(6).fill('passed'))
  expect(await ran()).toHaveLength(6)
})

test.for([
  ['text that is not a document', `return 'oops \\u001b[31m'`, 'printed no JSON document'],
  ['an error', `return { error: { message: 'The harness is \\u001b[31mgone.' } }`, 'The harness is \ufffd[31mgone.'],
  ['a verdict that does not exist', `return found('splendid')`, 'printed no JSON document'],
  ['a failure of this machine', `return found('failed', [], 'unreachable')`, 'plugmark reported unreachable'],
] as const)('keeps the earlier verdict when plugmark writes %s', async ([, answer, message]) => {
  await writePlugmark(answer)
  const { code, stderr } = await check('--runs', 'runs')
  expect(code).toBe(1)
  expect(stderr).toContain(`${NAMES[0]}: could not be run: `)
  expect(stderr).toContain(message)
  expect(stderr).not.toContain('\u001b')
  expect(Object.values(await verdicts())).toEqual(Array(6).fill(null))
})

test.for([
  [['--shard', '3/2', '--runs', 'runs'], '--shard takes a part such as 3/10'],
  [['--shard', 'all', '--runs', 'runs'], '--shard takes a part such as 3/10'],
  [['--parallel', '0', '--runs', 'runs'], '--parallel takes a whole number'],
  [[], '--runs FILE and --out FILE'],
] as const)('%j is an error that says what to do', async ([args, message]) => {
  const { code, stderr } = await check(...args)
  expect(code).toBe(2)
  expect(stderr).toContain(message)
})
