import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Answer, Job, JobAction, StoreEvent } from '../bridge/index.ts'
import { checkCaller } from './fence/origin.ts'
import { createStoreHost, type StoreHost } from './host.ts'
import { serve } from './serve.ts'
import type { HostOptions } from './settings.ts'
import { aHome, aRecord, directoryOf } from './testing.ts'

const records = [
  aRecord('a/good', { installCheck: 'passed' }),
  aRecord('a/other', { installCheck: 'passed' }),
  aRecord('a/risky', { installCheck: 'passed', riskFlags: ['install script'] }),
  aRecord('a/failed', { installCheck: 'failed' }),
  aRecord('a/none', { installCheck: 'passed', install: null, installable: false }),
  aRecord('a/forged', { installCheck: 'passed', install: 'dsh plugin --profile web add something-else' }),
]

/** In place of the harness's program: it says how it was called, and waits where its plugin is called `other`. */
const PROGRAM = `
  console.log(JSON.stringify(process.argv.slice(2)), process.env.DSH_HOME)
  if (process.argv.at(-1) === 'other') setInterval(() => {}, 1000)
  else process.exitCode = 1`

let home: Awaited<ReturnType<typeof aHome>>
let host: StoreHost
let events: StoreEvent[]
beforeEach(async () => {
  home = await aHome()
  await writeFile(join(home.home, 'program.cjs'), PROGRAM)
  events = []
  host = create()
})
afterEach(async () => {
  await host.close()
  await home.dispose()
})

function create(options: HostOptions = {}): StoreHost {
  const created = createStoreHost({
    baseUrl: 'https://directory.example',
    home: home.home,
    command: [process.execPath, join(home.home, 'program.cjs')],
    env: { PATH: process.env.PATH },
    trial: false,
    fetch: directoryOf(records).fetch,
    ...options,
  })
  created.subscribe((event) => events.push(event))
  return created
}

function value<T>(answer: Answer<T>): T {
  if (!answer.ok) throw new Error(`${answer.code}: ${answer.message}`)
  return answer.value
}
const review = (id: string, profile = 'web', action: JobAction = 'install') =>
  host.calls.review({ id, profile, action })
async function install(id: string, acknowledged = false): Promise<Job> {
  const { token } = value(await review(id))
  return value(await host.calls.start({ id, token, acknowledged }))
}
async function ended(id: string): Promise<Job> {
  await expect
    .poll(async () => value(await host.calls.overview({})).jobs.find((job) => job.id === id)?.state, {
      timeout: 15_000,
    })
    .toBe('done')
  return value(await host.calls.overview({})).jobs.find((job) => job.id === id)!
}

describe('review', () => {
  test('shows the exact command for this profile and what is known of it', async () => {
    expect(value(await review('a/good'))).toMatchObject({
      id: 'a/good',
      command: 'dsh plugin --profile web add good',
      verdict: 'passed',
      license: 'MIT',
      cautions: [],
    })
  })

  test('names what takes a deliberate step', async () => {
    expect(value(await review('a/risky')).cautions).toEqual(['risk-flags'])
    expect(value(await review('a/failed')).cautions).toEqual(['verdict'])
  })

  test.each([
    ['a/missing', 'web', 'unknown-listing'],
    ['a/good', 'other', 'unknown-profile'],
    ['a/none', 'web', 'not-installable'],
    ['a/forged', 'web', 'not-installable'],
  ])('%s into %s is refused: %s', async (id, profile, code) => {
    expect(await review(id, profile)).toMatchObject({ ok: false, code })
  })

  test('a directory that cannot be asked is a value', async () => {
    host = create({ fetch: () => Promise.reject(new TypeError('fetch failed')) })
    const { promise, resolve } = Promise.withResolvers<void>()
    host.subscribe((event) => event.type === 'catalogue' && event.status.state === 'failed' && resolve())
    await host.calls.overview({})
    await promise
    expect(value(await host.calls.listings({ from: 0 })).status.failure?.kind).toBe('network')
  })
})

// Each starts several programs, and waits for their ends.
describe('install', { timeout: 30_000 }, () => {
  test('runs what the review showed, and nothing else', async () => {
    const job = await ended((await install('a/good')).id)
    expect(job.command).toBe('dsh plugin --profile web add good')
    expect(job.output).toEqual([`["plugin","--profile","web","add","good"] $DSH_HOME`])
    expect(job.outcome).toMatchObject({ kind: 'failed', profile: { registered: false, changed: [] } })
  })

  test('a token is spent by its install, and is for its own listing', async () => {
    const { token } = value(await review('a/good'))
    const call = (id: string) => host.calls.start({ id, token, acknowledged: true })
    expect(await call('a/risky')).toMatchObject({ ok: false, code: 'bad-token' })
    expect(await call('a/good')).toMatchObject({ ok: true })
    expect(await call('a/good')).toMatchObject({ ok: false, code: 'bad-token' })
  })

  test('warnings must be acknowledged; the token stays good meanwhile', async () => {
    const { token } = value(await review('a/risky'))
    const call = (acknowledged: boolean) => host.calls.start({ id: 'a/risky', token, acknowledged })
    expect(await call(false)).toMatchObject({ ok: false, code: 'not-acknowledged' })
    expect(await call(true)).toMatchObject({ ok: true })
  })

  test('one at a time for a profile; a queued one can be cancelled, and so can one that runs', async () => {
    const running = await install('a/other')
    const waiting = await install('a/good')
    const last = await install('a/risky', true)
    expect(waiting).toMatchObject({ state: 'queued', position: 1 })
    expect(last.position).toBe(2)
    await expect
      .poll(async () => value(await host.calls.overview({})).jobs[0]?.output.length, { timeout: 15_000 })
      .toBe(1)

    expect(value(await host.calls.cancel({ job: waiting.id }))).toMatchObject({ state: 'done' })
    expect((await ended(waiting.id)).outcome).toMatchObject({
      kind: 'cancelled',
      undo: null,
      profile: null,
    })
    expect(value(await host.calls.overview({})).jobs[2]).toMatchObject({ state: 'queued', position: 1 })

    expect(value(await host.calls.cancel({ job: running.id }))).toMatchObject({ state: 'cancelling' })
    expect((await ended(running.id)).outcome?.kind).toBe('cancelled')
    expect((await ended(last.id)).outcome?.kind).toBe('failed')
  })

  test('the same install is not queued twice', async () => {
    await install('a/other')
    const { token } = value(await review('a/other'))
    const again = await host.calls.start({ id: 'a/other', token, acknowledged: false })
    expect(again).toMatchObject({ ok: false, code: 'already-running' })
  })

  test('a profile that went meanwhile is not made anew', async () => {
    const { token } = value(await review('a/good'))
    await home.dispose()
    const { id } = value(await host.calls.start({ id: 'a/good', token, acknowledged: false }))
    expect((await ended(id)).outcome?.kind).toBe('profile-missing')
  })

  test('output and state are pushed as they come', async () => {
    const { id } = await install('a/good')
    await ended(id)
    const states = events.flatMap((event) => (event.type === 'job' ? [event.job.state] : []))
    expect([...new Set(states)]).toEqual(['queued', 'running', 'done'])
    expect(events.some((event) => event.type === 'output' && event.job === id && event.from === 0)).toBe(true)
  })
})

describe('update and remove', () => {
  const depend = async (dependencies: Record<string, string>) => {
    const manifest = { dependencies, dsh: { profile: { bundles: ['base', ...Object.keys(dependencies)] } } }
    await writeFile(join(home.directory, 'package.json'), JSON.stringify(manifest))
  }

  test('are of what the profile has from the very source of the listing', async () => {
    await depend({ good: '^1.0.0' })
    expect(value(await review('a/good', 'web', 'remove'))).toMatchObject({
      action: 'remove',
      command: 'dsh plugin --profile web remove good',
    })
    expect(value(await review('a/good', 'web', 'update')).command).toBe('dsh plugin --profile web update --latest good')
    expect(await review('a/other', 'web', 'remove')).toMatchObject({ ok: false, code: 'not-installed' })
  })

  test('a private package of the same name is left alone, by an install too', async () => {
    await depend({ good: 'git+ssh://git@private.example/good.git' })
    for (const action of ['install', 'update', 'remove'] as const)
      expect(await review('a/good', 'web', action)).toMatchObject({ ok: false, code: 'other-source' })
    expect(value(await host.calls.installed({ profile: 'web' }))).toMatchObject([
      { name: 'good', listing: null, removable: false, why: 'other-source' },
    ])
  })

  test('what is risky to install takes no deliberate step to remove', async () => {
    await depend({ risky: '^1.0.0' })
    expect(value(await review('a/risky', 'web', 'remove')).cautions).toEqual([])
    expect(value(await review('a/risky', 'web', 'update')).cautions).toEqual(['risk-flags'])
  })

  test('a token does what it was given for, whatever was reviewed after it', async () => {
    await depend({ good: '^1.0.0' })
    const { token } = value(await review('a/good', 'web', 'remove'))
    await review('a/good')
    const job = value(await host.calls.start({ id: 'a/good', token, acknowledged: false }))
    expect(job).toMatchObject({ action: 'remove', command: 'dsh plugin --profile web remove good' })
    expect((await ended(job.id)).output[0]).toContain('["plugin","--profile","web","remove","good"]')
  })
})

describe('installed', () => {
  test('lists the dependencies, and ties them to listings', async () => {
    const dependencies = { good: '^1.0.0', unlisted: '^2.0.0', linked: 'link:../linked' }
    const manifest = { dependencies, dsh: { profile: { bundles: ['base', 'good'] } } }
    await writeFile(join(home.directory, 'package.json'), JSON.stringify(manifest))
    await mkdir(join(home.directory, 'node_modules/good'), { recursive: true })
    await writeFile(join(home.directory, 'node_modules/good/package.json'), '{"version":"1.0.3"}')
    const ours = { name: 'good', spec: '^1.0.0', version: '1.0.3', latest: null, listing: 'a/good', layer: true }
    const other = { version: null, latest: null, listing: null, layer: false, removable: false }
    expect(value(await host.calls.installed({ profile: 'web' }))).toEqual([
      { ...ours, removable: true, why: null },
      { ...other, name: 'linked', spec: 'link:../linked', why: 'other-source' },
      { ...other, name: 'unlisted', spec: '^2.0.0', why: 'not-in-directory' },
    ])
  })

  test('says when the directory could not be asked, and of which profile there is none', async () => {
    const manifest = { dependencies: { good: '^1.0.0' } }
    await writeFile(join(home.directory, 'package.json'), JSON.stringify(manifest))
    host = create({ fetch: async () => Response.json({}, { status: 400 }) })
    expect(value(await host.calls.installed({ profile: 'web' }))).toMatchObject([{ why: 'directory' }])
    expect(await host.calls.installed({ profile: 'other' })).toMatchObject({ ok: false, code: 'unknown-profile' })
  })

  test('newer versions are what the package manager says, and are remembered', async () => {
    const manifest = { dependencies: { good: '^1.0.0' } }
    await writeFile(join(home.directory, 'package.json'), JSON.stringify(manifest))
    const bin = join(home.home, 'bin')
    await mkdir(bin)
    const says = (text: string) => writeFile(join(bin, 'pnpm'), `#!/bin/sh\necho '${text}'; exit 1`, { mode: 0o755 })
    host = create({ env: { PATH: `${bin}:${process.env.PATH}` } })
    await says('{"good":{"current":"1.0.0","latest":"2.0.0"}}')
    expect(value(await host.calls.checkUpdates({ profile: 'web' }))).toMatchObject([{ latest: '2.0.0' }])
    await writeFile(join(bin, 'pnpm'), `#!/bin/sh\necho asked >> ${bin}/log; sleep 0.2; echo '{}'`, { mode: 0o755 })
    await Promise.all(Array.from({ length: 20 }, () => host.calls.checkUpdates({ profile: 'web' })))
    expect(await readFile(join(bin, 'log'), 'utf8')).toBe('asked\n')
    await says('{"good":{"current":"1.0.0","latest":"2.0.0"}}')
    await host.calls.checkUpdates({ profile: 'web' })
    await says('ERR_PNPM_META_FETCH_FAIL')
    expect(await host.calls.checkUpdates({ profile: 'web' })).toMatchObject({ ok: false, code: 'package-manager' })
    expect(value(await host.calls.installed({ profile: 'web' }))).toMatchObject([{ latest: '2.0.0' }])
  })
})

describe('overview', () => {
  test('says what there is to install into, and with', async () => {
    expect(value(await host.calls.overview({}))).toMatchObject({
      cli: 'dsh',
      profile: 'web',
      profiles: [{ name: 'web' }],
      harness: 'found',
      jobs: [],
    })
  })

  test('says when the harness is missing', async () => {
    host = create({ command: ['no-such-program'] })
    expect(value(await host.calls.overview({})).harness).toBe('missing')
    const { id } = await install('a/good')
    expect((await ended(id)).outcome?.kind).toBe('harness-missing')
  })
})

test.each([
  [{ cli: 'rm -rf' }],
  [{ profile: '../x' }],
  [{ command: [''] }],
  [{ timeLimitMs: 0 }],
  [{ timeLimitMs: Number.NaN }],
  [{ baseUrl: 'nonsense' }],
  [{ registry: 'nonsense' }],
  [{ registry: 'file:///etc' }],
  [{ proxy: 'socks5://127.0.0.1:1' }],
  [{ startLimitMs: -1 }],
] satisfies [HostOptions][])('a bad option is a clear message at once: %j', (options) => {
  expect(() => createStoreHost(options)).toThrow(/\w+ \w+ \w+/)
})

describe('serve', () => {
  const caller = { host: '127.0.0.1:5140', origin: 'http://127.0.0.1:5140', peer: '127.0.0.1' }
  const trust = { allowedHosts: [], authenticated: false }

  test('checks who calls before what is asked', async () => {
    const faults: unknown[] = []
    const call = (from: object, frame: unknown) =>
      serve(host, 'overview', frame, {
        check: () => checkCaller({ ...caller, ...from }, trust),
        onFault: (error) => faults.push(error),
      })
    expect(await call({ origin: 'https://evil.example' }, {})).toMatchObject({ code: 'untrusted' })
    expect(await call({}, { x: 1 })).toMatchObject({ code: 'malformed' })
    expect(await call({}, {})).toMatchObject({ ok: true })
    expect(faults).toEqual([])
  })

  test('a fault of ours is told to the log and not to the page', async () => {
    const faults: unknown[] = []
    const fault = new Error('secret path')
    const broken = { ...host, calls: { ...host.calls, overview: () => Promise.reject(fault) } }
    const answer = await serve(broken, 'overview', {}, { check: () => null, onFault: (error) => faults.push(error) })
    expect(answer).toMatchObject({ ok: false, code: 'internal' })
    expect(JSON.stringify(answer)).not.toContain('secret path')
    expect(faults).toEqual([fault])
  })
})
