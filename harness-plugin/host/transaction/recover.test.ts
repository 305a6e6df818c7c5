import { readdirSync, rmSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { thisProcess } from '@plugmark/shared/file-lock'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Answer, Job, JobState } from '../../protocol/index.ts'
import { createStoreHost, type StoreHost } from '../index.ts'
import { aHome, aRecord, directoryOf, FAKE_HARNESS, furnish, hashTree, whenJob } from '../testing.ts'
import { beginJournal, lockProfile, takeOrphanedJobs, writeJobFile } from './journal.ts'
import { takeSnapshot } from './transaction.ts'

let home: Awaited<ReturnType<typeof aHome>>
let before: string
const hosts: StoreHost[] = []
beforeEach(async () => {
  home = await aHome()
  await furnish(home.directory)
  await writeFile(join(home.home, 'program.cjs'), FAKE_HARNESS)
  before = await hashTree(home.directory, ['.plugmark'])
})
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()))
  await home.dispose()
})

function aHost() {
  const told: JobState[] = []
  const records = ['good', 'waits', 'broken'].map((name) => aRecord(`a/${name}`, { installCheck: 'passed' }))
  const host = createStoreHost(home.options, directoryOf(records))
  host.subscribe((event) => event.type === 'job' && told.push(event.job))
  hosts.push(host)
  return { host, told }
}
function value<T>(answer: Answer<T>): T {
  if (!answer.ok) throw new Error(`${answer.code}: ${answer.message}`)
  return answer.value
}
async function install(host: StoreHost, id: string): Promise<Job> {
  const { token } = value(await host.calls.review({ id, profile: 'web', action: 'install' }))
  return value(await host.calls.start({ id, token, acknowledged: false }))
}
/** Returns the paths of the files that jobs left in the state folder. */
const notes = async () =>
  (await readdir(join(home.directory, '.plugmark'), { recursive: true }).catch((): string[] => [])).filter(
    (name) => name !== 'jobs' && !/^(?:undo|history)/.test(name),
  )
const jobNotes = async () => (await notes()).filter((name) => name.startsWith('jobs/')).toSorted()

test('reports a busy profile only while another program has locked it', async () => {
  const { host, told } = aHost()
  const other = await lockProfile(home.directory)
  const { id } = await install(host, 'a/good')
  expect(told[0]).toMatchObject({ id, state: 'queued', profileBusy: false })
  await expect.poll(() => told.at(-1)).toMatchObject({ id, state: 'queued', profileBusy: true })
  await other?.release()
  await expect.poll(() => told.at(-1)?.state).toBe('done')
  expect(told.find(({ state }) => state === 'running')?.profileBusy).toBe(false)

  const again = aHost()
  await install(again.host, 'a/good')
  await expect.poll(() => again.told.at(-1)?.state).toBe('done')
  expect(again.told.some(({ profileBusy }) => profileBusy)).toBe(false)
})

test('reports no job for a check of the profile whose process ended', async () => {
  await mkdir(join(home.directory, '.plugmark'))
  await beginJournal(home.directory, aJob(1), [], { isCheck: true })
  const { host, told } = aHost()
  expect(value(await host.calls.history({ profile: 'web' }))).toEqual([])
  expect(told).toEqual([])
  expect(await notes()).toEqual([])
})

test('reports each job that a closing host gave up once in the next host', async () => {
  const first = aHost()
  const running = await install(first.host, 'a/waits')
  const waiting = await install(first.host, 'a/good')
  await whenJob(first.host, running.id, ({ output }) => output.some((line) => line.startsWith('done')))
  await first.host.close()

  const { told } = aHost()
  await expect.poll(() => told.length).toBe(2)
  expect(told).toMatchObject([
    { id: running.id, state: 'done', listing: 'a/waits', outcome: { kind: 'interrupted', rollback: 'complete' } },
    { id: waiting.id, state: 'done', startedAt: null, outcome: { kind: 'interrupted', rollback: null, profile: null } },
  ])
  expect(await hashTree(home.directory, ['.plugmark'])).toBe(before)
  const third = aHost()
  await third.host.close()
  expect(third.told).toEqual([])
})

test('deletes the file of a job when the job ends in any way', async () => {
  const { host, told } = aHost()
  const running = await install(host, 'a/waits')
  const cancelled = await install(host, 'a/good')
  // The running job has a journal instead.
  await expect.poll(jobNotes).toEqual([`jobs/${cancelled.id}.json`])
  await host.calls.cancel({ job: cancelled.id })
  await host.calls.cancel({ job: running.id })
  const states = () => new Map(told.map(({ id, outcome }) => [id, outcome?.kind]))
  await expect.poll(() => [...states().values()]).toEqual(['cancelled', 'cancelled'])
  await expect.poll(notes).toEqual([])
})

test('deletes the file of a job that could not begin before it reports the end', async () => {
  const { host } = aHost()
  const { promise: atTheEnd, resolve } = Promise.withResolvers<string[]>()
  host.subscribe((event) => {
    if (event.type !== 'job') return
    if (event.job.state === 'running') rmSync(join(home.directory, 'package.json'))
    if (event.job.state === 'done') resolve(readdirSync(home.directory))
  })
  await install(host, 'a/good')
  expect(await atTheEnd).not.toContain('.plugmark')
})

test('repeats a rollback that failed, without a restart of the host', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const modules = join(home.directory, 'node_modules')
  const inTheWay = `
    const fs = require('node:fs')
    fs.renameSync('node_modules', '../../elsewhere')
    fs.writeFileSync('node_modules', 'in the way')`
  await writeFile(join(home.home, 'program.cjs'), FAKE_HARNESS + inTheWay)
  const { host, told } = aHost()
  await install(host, 'a/broken')
  await expect.poll(() => told.at(-1)?.outcome?.rollback).toBe('failed')
  await rm(modules)
  await vi.advanceTimersByTimeAsync(10_000)
  await expect.poll(() => told.at(-1)?.outcome).toMatchObject({ kind: 'failed', rollback: 'complete' })
  expect(await hashTree(home.directory, ['.plugmark'])).toBe(before)
})

const id = (n: number) => `${n}0000000-0000-4000-8000-000000000000`
const aJob = (n: number) =>
  ({ id: id(n), action: 'install', listing: 'a/good', more: [], command: 'dsh', queuedAt: n, startedAt: null }) as const

test('lists and reviews a profile as it is once the change of an ended host is undone', async () => {
  const spec = { kind: 'npm', name: 'good' } as const
  const journal = await beginJournal(home.directory, aJob(1), [spec], { client: 'cli' })
  await takeSnapshot(home.directory, journal, { signal: new AbortController().signal, keepsUndo: false })
  const file = join(home.directory, 'package.json')
  const manifest = JSON.parse(await readFile(file, 'utf8'))
  await writeFile(file, JSON.stringify({ ...manifest, dependencies: { good: '^2.0.0' } }))
  const { host } = aHost()
  const review = host.calls.review({ id: 'a/good', profile: 'web', action: 'update' })
  expect(value(await host.calls.installed({ profile: 'web' })).map(({ name }) => name)).not.toContain('good')
  expect(await review).toMatchObject({ ok: false, code: 'not-installed' })
})

test('keeps job files of a running process and of another machine, and files that do not parse', async () => {
  const owner = await thisProcess()
  const note = (n: number, change: object) => writeJobFile(home.directory, aJob(n), { owner: { ...owner, ...change } })
  await note(1, {})
  await note(2, { host: 'another' })
  await note(3, { start: 'long ago' })
  await note(4, { pid: 2 ** 22 + 1 })
  await writeFile(join(home.directory, '.plugmark/jobs/half.json'), '{"version":')
  const { orphaned, hasOthers } = await takeOrphanedJobs(home.directory)
  expect(orphaned.map((left) => left.job.id)).toEqual([id(3), id(4)])
  expect(orphaned[0]?.outcome.kind).toBe('interrupted')
  expect(hasOthers).toBe(true)
  expect(await jobNotes()).toEqual([id(1), id(2), 'half'].map((name) => `jobs/${name}.json`))
})

test('keeps the file of a job that a newer version of the store queued', async () => {
  await mkdir(join(home.directory, '.plugmark/jobs'), { recursive: true })
  await writeFile(join(home.directory, '.plugmark/jobs/newer.json'), '{"version":1000}')
  expect(await takeOrphanedJobs(home.directory)).toEqual({ orphaned: [], hasOthers: false })
  expect(await jobNotes()).toEqual(['jobs/newer.json'])
})

describe('the job of a recreated container', () => {
  const elsewhere = { host: 'a container that is no more', pid: 1, start: 'then' }
  const file = (name: string) => join(home.directory, '.plugmark', name)
  /** Sets the last heartbeat to more than a minute ago. */
  async function silence(path: string) {
    const then = new Date(Date.now() - 61_000)
    await utimes(path, then, then)
  }
  beforeEach(
    () =>
      void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] }),
  )
  afterEach(() => void vi.useRealTimers())
  /** Resolves when the host has checked the profile and waits for the next check, beside the watch of all profiles. */
  const looked = () => expect.poll(() => vi.getTimerCount()).toBe(2)
  const later = () => vi.advanceTimersByTimeAsync(10_000)
  /** Lets the host look again, as it must have watched an untouched file for 15 seconds. */
  async function watched(times: number) {
    for (let look = 0; look < times; look++) {
      await looked()
      await later()
    }
  }

  test('the job of a recreated container is rolled back and reported after a minute without a heartbeat, without a restart or a job', async () => {
    const job = { ...aJob(1), startedAt: 1 }
    await mkdir(file('jobs'), { recursive: true })
    const journal = await beginJournal(home.directory, job, [{ kind: 'npm', name: 'good' }])
    await takeSnapshot(home.directory, journal, { signal: new AbortController().signal, keepsUndo: true })
    await writeFile(join(home.directory, 'node_modules/old/index.js'), 'half')
    await writeFile(file('lock'), JSON.stringify({ id: 'x', ...elsewhere }))
    await writeJobFile(home.directory, aJob(2), { owner: elsewhere })
    const { told } = aHost()
    await looked()
    await later()
    await looked()
    expect(told).toEqual([])
    await silence(file('lock'))
    await silence(file(`jobs/${id(2)}.json`))
    await watched(3)
    await expect
      .poll(() => told.map(({ id, outcome }) => [id, outcome?.kind, outcome?.rollback]))
      .toEqual([
        [id(1), 'interrupted', 'complete'],
        [id(2), 'interrupted', null],
      ])
    await expect.poll(notes).toEqual([])
    expect(await hashTree(home.directory, ['.plugmark'])).toBe(before)
  })

  test('the job of a recreated container is not searched for again once it has ended', async () => {
    await writeJobFile(home.directory, aJob(1), { owner: elsewhere })
    await silence(file(`jobs/${id(1)}.json`))
    const { told } = aHost()
    await watched(2)
    await expect.poll(() => told.length).toBe(1)
    // The watch of profiles has the only one.
    expect(vi.getTimerCount()).toBe(1)
  })

  test('the job of a recreated container is removed if its file cannot be read, so that no later start treats it as a job', async () => {
    await mkdir(file('jobs'), { recursive: true })
    await writeFile(file('jobs/half.json'), '{"version":')
    await silence(file('jobs/half.json'))
    const { told } = aHost()
    await watched(2)
    await expect.poll(notes).toEqual([])
    expect(told).toEqual([])
  })

  test('the job of a recreated container is removed if only its lock is left', async () => {
    await mkdir(file('jobs'), { recursive: true })
    await writeFile(file('lock'), JSON.stringify({ id: 'x', ...elsewhere }))
    await silence(file('lock'))
    aHost()
    await watched(2)
    await expect.poll(notes).toEqual([])
  })

  test('the job of a recreated container is distinguished from a job that waits in a running host', async () => {
    const other = await lockProfile(home.directory)
    const { host } = aHost()
    const { id } = await install(host, 'a/good')
    const note = file(`jobs/${id}.json`)
    await silence(note)
    await later()
    await expect.poll(async () => Date.now() - (await stat(note)).mtimeMs).toBeLessThan(60_000)
    await other?.release()
  })
})

test('does not write to a profile without unfinished jobs at the start of a host', async () => {
  const then = new Date(0)
  await mkdir(join(home.home, 'profiles/other'))
  await utimes(join(home.home, 'profiles/other'), then, then)
  await aHost().host.close()
  expect((await stat(join(home.home, 'profiles/other'))).mtimeMs).toBe(0)
})
