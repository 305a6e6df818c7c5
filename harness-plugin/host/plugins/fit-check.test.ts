import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { GATE_PACKAGES, placeHarness } from '../harness/testing.ts'
import { BackgroundWork } from '../parts.ts'
import { type RegistryForTests, startRegistryForTests } from '../registry/testing.ts'
import { aHome } from '../testing.ts'
import { Declarations } from './declarations.ts'
import { FitCheck } from './fit-check.ts'
import { openRunRecords, type RunRecords } from './run-records.ts'

let home: Awaited<ReturnType<typeof aHome>>
let registry: RegistryForTests
let compatibility: FitCheck
let runRecords: RunRecords
let declarations: Declarations
let now: number
/** Called whenever the time is read. */
let onTime: () => void
let closing: AbortController
let background: BackgroundWork
beforeEach(async () => {
  home = await aHome()
  registry = await startRegistryForTests(GATE_PACKAGES)
  now = 0
  onTime = () => {}
})
async function close() {
  closing.abort()
  await background.ended()
}
afterEach(async () => {
  await close()
  await declarations.save()
  await registry.close()
  await home.dispose()
})

const plan = (name: string) => ({ cli: 'dsh', profile: 'web', spec: { kind: 'npm', name } }) as const
const path = () => join(home.home, 'declarations.json')

/** Places a pnpm 11 that prints its settings. */
async function placePnpm(settings: { readonly minimumReleaseAge?: number }) {
  const printed = JSON.stringify({ userAgent: 'pnpm/11.28.11 npm/?', ...settings })
  await writeFile(join(home.home, 'pnpm'), `#!/bin/sh\necho '${printed}'`, { mode: 0o755 })
}

async function open({
  version,
  url = registry.url,
  path: PATH = process.env.PATH ?? '',
}: {
  version?: string
  url?: string
  path?: string
} = {}) {
  const { command } = await placeHarness(home.home, version)
  await writeFile(join(home.directory, '.npmrc'), `registry=${url}\n`)
  const env = { PATH, HOME: home.home }
  const onProblem = () => {}
  closing = new AbortController()
  background = new BackgroundWork(onProblem)
  const { signal } = closing
  const readTime = () => {
    onTime()
    return now
  }
  declarations = new Declarations({ path: path(), env, signal, now: readTime, onProblem, rawUrl: url })
  runRecords = openRunRecords({ path: null, now: () => now, onProblem })
  const settings = { command, env, home: home.home }
  compatibility = new FitCheck({ settings, declarations, runRecords, signal, background })
}

test('names what the harness would refuse, with the command that allows it', async () => {
  await open()
  expect(await compatibility.check(plan('old'))).toEqual({
    state: 'refused',
    plugin: 'old@1.0.0',
    harnessVersion: '0.2.1-rc.2',
    requirements: ['dsh ^0.1.0'],
    allowCommand: 'dsh plugin --profile web allow-version old@1.0.0 --dsh-version 0.2.1-rc.2 --accept-risk',
    problem: null,
    foreignScope: false,
    registry: null,
    integrity: null,
    shadows: [],
    deprecated: null,
    fitting: null,
    trial: null,
  })
  expect(await compatibility.check(plan('allowed'))).toMatchObject({ state: 'allowed', allowCommand: null })
  expect(await compatibility.check(plan('fits'))).toMatchObject({
    state: 'declared-to-fit',
    requirements: ['dsh ^0.2.0'],
  })
})

test('refuses nothing for a harness that checks no versions', async () => {
  await open({ version: '0.1.5-rc.1' })
  expect(await compatibility.check(plan('fits'))).toMatchObject({ state: 'not-enforced', allowCommand: null })
})

test('names packages of the harness among the dependencies, a deprecation, and the newest version that fits', async () => {
  registry.serve({
    old: {
      '1.0.0': { engines: { dsh: '>=0.1.0' } },
      '1.1.0': { engines: { dsh: '^0.2.0' }, deprecated: 'broken' },
      '1.2.0': { engines: { dsh: '>=0.2.0 <0.3.0' } },
      '2.0.0': {
        engines: { dsh: '^0.9.0' },
        dependencies: { '@deepseek-ai/dsh-settings': '^0.1.0', other: '^1.0.0' },
        deprecated: 'Use something else.',
      },
    },
  })
  await open()
  expect(await compatibility.check(plan('old'))).toMatchObject({
    state: 'refused',
    plugin: 'old@2.0.0',
    shadows: ['@deepseek-ai/dsh-settings'],
    deprecated: 'Use something else.',
    fitting: '1.2.0',
  })
})

test('reads a package field by field, as old ones have fields of any form', async () => {
  registry.serve({
    text: { '1.0.0': { engines: 'node >= 4' } },
    nothing: { '1.0.0': { dependencies: null, engines: null } },
    number: { '1.0.0': { peerDependencies: { vue: 3 } } },
    unreadable: { '1.0.0': { engines: { dsh: 3 } } },
  })
  await open()
  for (const name of ['text', 'nothing', 'number'])
    expect(await compatibility.check(plan(name))).toMatchObject({ state: 'not-declared', plugin: `${name}@1.0.0` })
  // Nobody knows whether it fits; the registry has it.
  expect(await compatibility.check(plan('unreadable'))).toBeNull()
  expect(await compatibility.check(plan('unreadable'), '1.0.0')).toBeNull()
  expect(await compatibility.check(plan('unreadable'), '2.0.0')).toMatchObject({ state: 'not-found' })
})

test('keeps the answers of one profile from another, which has other registries', async () => {
  registry.serve({})
  await open()
  await compatibility.check(plan('corp-plugin'))
  const other = await startRegistryForTests({ 'corp-plugin': { '1.0.0': {} } })
  const directory = join(home.home, 'profiles/other')
  await mkdir(directory, { recursive: true })
  await writeFile(join(directory, '.npmrc'), `registry=${other.url}\n`)
  const signal = new AbortController().signal
  const day = 24 * 60 * 60_000
  const read = (directory: string) => declarations.read(plan('corp-plugin').spec, { directory, signal, maxAgeMs: day })
  expect([(await read(home.directory)).state, (await read(directory)).state]).toEqual(['not-found', 'read'])
  const kept = await Promise.all([home.directory, directory].map((one) => declarations.kept(one)))
  expect(kept.map((known) => known('corp-plugin')?.state)).toEqual(['not-found', 'read'])
  await other.close()
})

test('reads an answer again that is of the future, as the clock was set back since', async () => {
  await open()
  const { signal } = new AbortController()
  const read = () => declarations.read(plan('old').spec, { directory: home.directory, signal, maxAgeMs: 60_000 })
  now = 1_000_000
  await read()
  await read()
  expect(registry.requests).toHaveLength(1)
  now = 0
  await read()
  expect(registry.requests).toHaveLength(2)
})

test('says that the registry does not have a package', async () => {
  await open()
  expect(await compatibility.check(plan('lost'))).toMatchObject({ state: 'not-found', plugin: 'lost' })
})

test('asks for each review whether the answer has changed, once for those at the same time', async () => {
  await open()
  const release = registry.hold()
  // Each look-up reads the time when it is about to ask. Until then, the other's request must not have ended.
  let looks = 0
  onTime = () => ++looks === 2 && release()
  await Promise.all([compatibility.check(plan('old')), compatibility.check(plan('old'))])
  expect(registry.requests.map(({ status }) => status)).toEqual([200])
  expect(await compatibility.check(plan('old'))).toMatchObject({ state: 'refused' })
  expect(registry.requests.map(({ status }) => status)).toEqual([200, 200])
})

test('names the version that pnpm installs while the newest is too young for it', async () => {
  now = Date.parse('2026-11-27T12:00:00Z')
  const [old, young] = ['2026-11-01T00:00:00Z', '2026-11-27T06:00:00Z'].map((release) => ({ release }))
  registry.serve({ aged: { '1.0.0': old!, '1.1.0': young! } })
  await placePnpm({})
  await open({ path: `${home.home}:${process.env.PATH}` })
  expect((await compatibility.check(plan('aged')))?.plugin).toBe('aged@1.0.0')
  // The document is still the same when the release is old enough.
  now += 24 * 60 * 60_000
  expect((await compatibility.check(plan('aged')))?.plugin).toBe('aged@1.1.0')
})

test('a review names the version that pnpm installs after its settings have changed', async () => {
  now = Date.parse('2026-11-27T12:00:00Z')
  registry.serve({
    aged: { '1.0.0': { release: '2026-11-01T00:00:00Z' }, '1.1.0': { release: '2026-11-27T06:00:00Z' } },
  })
  await placePnpm({})
  await open({ path: `${home.home}:${process.env.PATH}` })
  expect((await compatibility.check(plan('aged')))?.plugin).toBe('aged@1.0.0')
  await placePnpm({ minimumReleaseAge: 0 })
  expect((await compatibility.check(plan('aged')))?.plugin).toBe('aged@1.1.0')
})

test('gives a caller the answer although the one whose request it shares gives up', async () => {
  await open()
  const release = registry.hold()
  const stop = new AbortController()
  const ask = (signal: AbortSignal) =>
    declarations.read(plan('old').spec, { directory: home.directory, signal, maxAgeMs: 0 })
  const [first, second] = [ask(stop.signal), ask(new AbortController().signal)]
  stop.abort()
  expect(await first).toMatchObject({ state: 'unknown', problem: 'unreachable' })
  release()
  expect(await second).toMatchObject({ state: 'read', declaration: { plugin: 'old@1.0.0' } })
})

test('keeps what two processes read', async () => {
  await open()
  const first = declarations
  await compatibility.check(plan('old'))
  await close()
  await open()
  await compatibility.check(plan('fits'))
  await Promise.all([first.save(), declarations.save()])
  await close()
  await open()
  await declarations.opened
  const kept = await declarations.kept(home.directory)
  expect(['old', 'fits'].map((key) => kept(key)?.state)).toEqual(['read', 'read'])
})

test('falls back to what was read within a week when the registry does not answer', async () => {
  await open()
  await compatibility.check(plan('old'))
  await declarations.save()
  const { url } = registry
  await registry.close()
  now = 60 * 60_000
  await open({ url })
  expect(await compatibility.check(plan('old'))).toMatchObject({ state: 'refused' })
  now = 8 * 24 * 60 * 60_000
  expect(await compatibility.check(plan('old'))).toBeNull()
  registry = await startRegistryForTests({})
})

test('falls back to nothing that was missing, or that now needs a log-in', async () => {
  await open()
  await Promise.all(['old', 'lost'].map((name) => compatibility.check(plan(name))))
  registry.failNext({ status: 500 })
  expect(await compatibility.check(plan('lost'))).toBeNull()
  registry.failNext({ status: 401 })
  expect(await compatibility.check(plan('old'))).toMatchObject({ state: 'unknown', problem: 'unauthorized' })
  expect(await compatibility.check(plan('old'))).toMatchObject({ state: 'refused' })
})

test('ends with nothing known when it is closed', async () => {
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  const silent = createServer(() => resolve()).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  await open({ url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}` })
  const checked = compatibility.check(plan('old'))
  await asked
  closing.abort()
  expect(await checked).toBeNull()
  silent.closeAllConnections()
  silent.close()
})

test('ends a pnpm that does not answer when it is closed', async () => {
  await writeFile(join(home.home, 'pnpm'), '#!/bin/sh\ntouch "$HOME/started"\nexec sleep 60', { mode: 0o755 })
  await open({ path: `${home.home}:${process.env.PATH}` })
  const age = compatibility.releaseAge('web')
  await expect.poll(() => existsSync(join(home.home, 'started'))).toBe(true)
  closing.abort()
  expect(await age).toBeNull()
})

test('has what a trial of the same versions showed', async () => {
  await open()
  await runRecords.add([{ plugin: 'fits@1.0.0', runs: 'yes', why: [] }], '0.2.1-rc.2')
  await runRecords.add([{ plugin: 'old@1.0.0', runs: 'yes', why: [] }], '0.1.5')
  expect((await compatibility.check(plan('fits')))?.trial).toEqual({ runs: true, breaksPage: false, at: now, why: [] })
  expect((await compatibility.check(plan('old')))?.trial).toBeNull()
})
