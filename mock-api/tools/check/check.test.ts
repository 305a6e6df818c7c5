import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { appendFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { toRecord } from '../../catalogue/catalogue.ts'
import { loadCatalogue } from '../../catalogue/load.ts'
import { embeddedCatalogue } from '../../invented/invented.ts'
import { runnerIn } from '../../programs-testing.ts'
import { pickCommand } from '../commands.ts'
import { isInShard } from './check.ts'
import { openRuns } from './runs.ts'

const CLI = fileURLToPath(new URL('../cli.ts', import.meta.url))
/** Listings that are published packages. */
const LISTINGS = embeddedCatalogue()
  .listings.filter(({ record }) => record.install !== null && record.npmPackage !== null)
  .slice(0, 6)
const NAMES = LISTINGS.map(({ record }) => record.fullName)
const PACKAGES = LISTINGS.map(({ record }) => record.npmPackage!)
/** Runs of one spec in one test. */
const MOST_RUNS = 4

let folder: string
let registry: ReturnType<typeof createServer>
/** Newest version of every package. */
let version: string
/** Path of a file in the folder of a test. */
const at = (name: string) => join(folder, name)
beforeEach(async () => {
  version = '1.0.0'
  registry = createServer((_, response) => response.end(JSON.stringify({ 'dist-tags': { latest: version } })))
  registry.listen(0, '127.0.0.1')
  folder = await mkdtemp(join(tmpdir(), 'plugmark-check-'))
  const results = LISTINGS.map((listing) => ({ ...toRecord(listing, 'https://directory.example'), installCheck: null }))
  await writeFile(at('catalogue.json'), JSON.stringify({ results }))
  await writeFile(at('dsh'), '#!/bin/sh\necho 0.2.1\n', { mode: 0o755 })
})
afterEach(async () => {
  registry.close()
  await rm(folder, { recursive: true })
})

type Answer = (verdict: string, blockedBuilds?: readonly object[], kind?: string) => unknown
/** Returns the document of a verdict. */
const found: Answer = (verdict, blockedBuilds = [], kind = 'failed') => ({
  data: {
    result: { verdict, kind, blockedBuilds, versions: { harness: '0.2.1' }, startedAt: new Date().toISOString() },
  },
})

/** Writes a `plugmark`: a script that notes each run of a spec and its stop, and does what `script` says. */
async function writeScript(script: string): Promise<void> {
  const head = `#!/bin/sh\ncd '${folder}'\ntrap 'echo 1 >stopped; exit 130' INT\necho "$2" >>ran\n`
  await writeFile(at('plugmark'), `${head}${script}\n`, { mode: 0o755 })
}

/** Writes a `plugmark` that notes each run, and prints what `answer` returns for it. @param answer gets the nth run of a spec */
async function writePlugmark(answer: (spec: string, nth: number) => unknown): Promise<void> {
  for (const spec of PACKAGES)
    for (let nth = 1; nth <= MOST_RUNS; nth++) {
      const answered = answer(spec, nth)
      const text = typeof answered === 'string' ? answered : JSON.stringify(answered)
      await mkdir(at(`answers/${spec}`), { recursive: true })
      await writeFile(at(`answers/${spec}/${nth}`), text)
    }
  await writeScript('exec cat "answers/$2/$(grep -cxF -- "$2" ran)"')
}

const argsOf = (args: readonly string[]) => {
  const { port } = registry.address() as AddressInfo
  const programs = ['--plugmark', at('plugmark'), '--harness', at('dsh'), '--registry', `http://127.0.0.1:${port}`]
  return ['check', '--catalogue', at('catalogue.json'), '--out', at('out.json'), ...programs, ...args]
}
const run = runnerIn(pickCommand)
const check = (...args: string[]) => run(...argsOf(args))
/** Starts a check as a process, which can be killed. */
const startCheck = () =>
  spawn(process.execPath, [CLI, ...argsOf(['--runs', at('runs'), '--parallel', '1'])], { stdio: 'ignore' })
const ran = async () => (await readFile(at('ran'), 'utf8')).trim().split('\n')
async function verdicts(): Promise<Record<string, string | null>> {
  const { results } = JSON.parse(await readFile(at('out.json'), 'utf8'))
  return Object.fromEntries(
    results.map((one: { npmPackage: string; installCheck: string }) => [one.npmPackage, one.installCheck]),
  )
}

test('fills in verdicts, instants, build scripts and the success rate, in a document that is a catalogue', async () => {
  await writePlugmark((spec) => {
    if (spec === PACKAGES[0]) return found('needs-approval', [{ package: 'esbuild' }])
    return found(spec === PACKAGES[1] ? 'not-a-layer' : 'passed')
  })
  const { code, stdout } = await check('--runs', at('runs'))
  expect(code).toBe(0)
  expect(stdout).toContain(
    '6 checked, 0 known from earlier runs, 0 could not be run, 0 without a command. 6 listings, success rate 100.0 %',
  )
  const { listings, rejected, successRate } = await loadCatalogue(at('out.json'))
  expect(rejected).toEqual([])
  expect(successRate).toBe(1)
  expect(listings[0]?.record).toMatchObject({
    installCheck: 'needs-approval',
    installCheckedAt: expect.stringMatching(/^\d{4}-/),
    blockedBuilds: ['esbuild'],
  })
})

test('says of what installs and does not run that its verdict is about the install alone, also from the file of runs', async () => {
  await writePlugmark((spec) => {
    const document = found('passed') as { data: { result: { runs: boolean | null } } }
    document.data.result.runs = spec !== PACKAGES[0]
    return document
  })
  const failing = `${NAMES[0]}: passed, but the harness does not run it`
  const first = await check('--runs', at('runs'))
  expect(first.stdout.match(/does not run it/g)).toHaveLength(1)
  expect(first.stdout).toContain(`${failing}\n`)
  expect(first.stdout).toContain('1 installs and does not run.')
  expect(first.stdout).toContain('A verdict is about the install alone')
  expect((await check('--runs', at('runs'))).stdout).toContain(`${failing}, as before\n`)
  const { listings } = await loadCatalogue(at('out.json'))
  expect(listings[0]?.record.installCheck).toBe('passed')
})

test('does not say of a failed install that the harness does not run it', async () => {
  await writePlugmark(() => {
    const document = found('failed') as { data: { result: { runs: boolean | null } } }
    document.data.result.runs = false
    return document
  })
  const { stdout } = await check('--runs', at('runs'))
  expect(stdout).toContain(`${NAMES[0]}: failed\n`)
  expect(stdout).not.toContain('not run it')
})

test('prints and keeps why an install failed', async () => {
  await writePlugmark((spec) => {
    const document = found('failed', [], spec === PACKAGES[0] ? 'not-found' : 'failed') as {
      data: { result: object }
    }
    Object.assign(document.data.result, {
      subjects: ['gone-away'],
      output: ['Progress', 'Error: The anchor is fouled.'],
    })
    if (spec === PACKAGES[1]) Object.assign(document.data.result, { subjects: [] })
    return document
  })
  const { stdout } = await check('--runs', at('runs'))
  expect(stdout).toContain(`${NAMES[0]}: failed (not-found gone-away)\n`)
  expect(stdout).toContain(`${NAMES[1]}: failed (Error: The anchor is fouled.)\n`)
  expect(await readFile(at('runs'), 'utf8')).toContain('not-found gone-away')
})

test('writes an instant without milliseconds so that it can be read again', async () => {
  await writePlugmark(() => {
    const document = found('passed') as { data: { result: { startedAt: string } } }
    document.data.result.startedAt = '2026-11-01T10:00:00Z'
    return document
  })
  expect((await check('--runs', at('runs'))).code).toBe(0)
  const { listings, rejected } = await loadCatalogue(at('out.json'))
  expect(rejected).toEqual([])
  expect(listings[0]?.record.installCheckedAt).toBe('2026-11-01T10:00:00.000Z')
})

test('names the rows of its document that no command can read, and ends with 1', async () => {
  await writePlugmark(() => {
    const document = found('passed') as { data: { result: { startedAt: string } } }
    document.data.result.startedAt = '2099-11-01T10:00:00Z'
    return document
  })
  const { code, stderr } = await check('--runs', at('runs'))
  expect(code).toBe(1)
  expect(stderr).toContain('installCheckedAt: 2099-11-01T10:00:00.000Z is in the future')
})

test.each(['runs', './runs', 'linked'])('does not write its document over its runs, named %s', async (name) => {
  await writeFile(at('runs'), '')
  await symlink(at('runs'), at('linked'))
  const { code, stderr } = await check('--runs', at('runs'), '--out', `${folder}/${name}`)
  expect(code).toBe(2)
  expect(stderr).toContain('--runs and --out name one file')
  expect(await readFile(at('runs'), 'utf8')).toBe('')
})

test('counts no failure twice because its file is named twice', async () => {
  await writePlugmark(() => found('failed'))
  const { code, stderr } = await check('--runs', at('runs'), '--runs', `${folder}/./runs`)
  expect(code).toBe(2)
  expect(stderr).toContain('--runs and --runs name one file')
})

test('does not add its runs to the catalogue', async () => {
  const { code, stderr } = await check('--runs', at('catalogue.json'))
  expect(code).toBe(2)
  expect(stderr).toContain('--catalogue and --runs name one file')
})

test('needs two failures in a row for a failure, and one run for anything else', async () => {
  await writePlugmark((spec, nth) =>
    found(spec === PACKAGES[0] ? 'failed' : spec === PACKAGES[1] && nth === 1 ? 'timeout' : 'passed'),
  )
  expect((await check('--runs', at('runs'))).code).toBe(0)
  expect(await verdicts()).toMatchObject({ [PACKAGES[0]!]: 'failed', [PACKAGES[1]!]: 'passed' })
  const counts = Object.groupBy(await ran(), (spec) => spec)
  expect(PACKAGES.map((name) => counts[name]?.length)).toEqual([2, 2, 1, 1, 1, 1])
})

test('repeats no run for the same version, and runs again for a new version or another harness', async () => {
  await writePlugmark(() => found('passed'))
  await check('--runs', at('runs'))
  const again = await check('--runs', at('runs'))
  expect(again.stdout).toContain('0 checked, 6 known from earlier runs')
  expect(await ran()).toHaveLength(6)
  version = '1.0.1'
  await writePlugmark(() => found('not-a-layer'))
  await check('--runs', at('runs'))
  expect(await ran()).toHaveLength(12)
  expect(await verdicts()).toEqual(Object.fromEntries(PACKAGES.map((name) => [name, 'not-a-layer'])))
  await writeFile(at('dsh'), '#!/bin/sh\necho 0.3.0\n')
  await check('--runs', at('runs'))
  expect(await ran()).toHaveLength(18)
})

test('checks a listing again whose version cannot be read', async () => {
  await writePlugmark(() => found('passed'))
  registry.removeAllListeners('request').on('request', (_, response) => response.writeHead(500).end())
  await check('--runs', at('runs'))
  expect((await check('--runs', at('runs'))).stdout).toContain('6 checked, 0 known from earlier runs')
  expect(await ran()).toHaveLength(12)
})

test('names a listing that has no command', async () => {
  await writePlugmark(() => found('passed'))
  const [first, ...rest] = LISTINGS.map((listing) => toRecord(listing, 'https://directory.example'))
  const results = [{ ...first, install: null, installable: false }, ...rest]
  await writeFile(at('catalogue.json'), JSON.stringify({ results }))
  const { stdout } = await check('--runs', at('runs'))
  expect(stdout).toContain(`${NAMES[0]}: has no install command`)
  expect(stdout).toContain('5 checked, 0 known from earlier runs, 0 could not be run, 1 without a command.')
})

test('finds the verdicts of 20,000 listings in time that grows with their number', async () => {
  const line = (number: number) =>
    JSON.stringify({
      ...{ spec: `package-${number}`, version: '1.0.0', harness: '0.2.1', verdict: 'passed' },
      ...{ checkedAt: '2026-01-01T00:00:00.000Z', blockedBuilds: [] },
    })
  const file = at('many')
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
  const passed = JSON.stringify(found('passed'))
  await writeScript(`[ "$2" != '${PACKAGES[3]}' ] || kill -KILL $PPID\necho '${passed}'`)
  expect(await once(startCheck(), 'exit')).toEqual([null, 'SIGKILL'])
  await writePlugmark(() => found('passed'))
  await appendFile(at('runs'), '{"spec":"half a li')
  const { code, stdout } = await check('--runs', at('runs'))
  expect(code).toBe(0)
  expect(stdout).toContain('3 checked, 3 known from earlier runs')
  expect((await check('--runs', at('runs'))).stdout).toContain('6 known from earlier runs')
})

test('ends at once where plugmark is missing, and says how to name it', async () => {
  const { code, stderr } = await check('--runs', at('runs'), '--plugmark', at('missing'))
  expect(code).toBe(2)
  expect(stderr).toMatch(/missing.* --plugmark FILE/)
  expect(stderr).not.toContain('could not be run')
})

test('stops its programs on SIGTERM, and writes what it has found', async () => {
  const passed = JSON.stringify(found('passed'))
  await writeScript(`[ "$2" = '${PACKAGES[0]}' ] && echo '${passed}' && exit
    while :; do sleep 0.1; done`)
  const { promise: isSecondRunning, resolve } = Promise.withResolvers<void>()
  const watcher = watch(folder, () => {
    ran().then(
      (specs) => specs.includes(PACKAGES[1]!) && resolve(),
      () => {},
    )
  })
  const child = startCheck()
  await isSecondRunning
  watcher.close()
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([130, null])
  expect(await readFile(at('stopped'), 'utf8')).toBe('1\n')
  expect(Object.values(await verdicts()).filter((verdict) => verdict !== null)).toEqual(['passed'])
})

test('puts the runs of shards together, each listing in one shard', async () => {
  await writePlugmark(() => found('passed'))
  await check('--runs', at('one'), '--shard', '1/2')
  const first = (await ran()).length
  expect(first).toBe(NAMES.filter((name) => isInShard(name, { number: 1, of: 2 })).length)
  expect(first % 6).toBeGreaterThan(0)
  await check('--runs', at('two'), '--shard', '2/2')
  expect((await ran()).toSorted()).toEqual(PACKAGES.toSorted())
  await check('--runs', at('none'), '--runs', at('one'), '--runs', at('two'), '--only-write')
  expect(Object.values(await verdicts())).toEqual(Array(6).fill('passed'))
  expect(await ran()).toHaveLength(6)
})

test.for([
  ['text that is not a document', 'oops \u001b[31m', 'printed no JSON document'],
  ['an error', { error: { message: 'The harness is \u001b[31mgone.' } }, 'The harness is \ufffd[31mgone.'],
  ['a verdict that does not exist', found('splendid'), 'printed no JSON document'],
  ['a failure of this machine', found('failed', [], 'unreachable'), 'plugmark reported unreachable'],
] as const)('keeps the earlier verdict when plugmark writes %s', async ([, answer, message]) => {
  await writePlugmark(() => answer)
  const { code, stderr } = await check('--runs', at('runs'))
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
