import { chmod, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { JobState } from '../../protocol/index.ts'
import { value } from '../host-testing.ts'
import { createStoreHost, type StoreHost } from '../index.ts'
import { aHome, aRecord, directoryOf, FAKE_HARNESS, furnish, hashTree, whenJob } from '../testing.ts'
import { beginJournal } from './journal.ts'
import { takeSnapshot } from './transaction.ts'

let home: Awaited<ReturnType<typeof aHome>>
let profile: string
let manifest: string
/** Last announced state of the host's jobs. */
let told: Map<string, JobState>
const hosts: StoreHost[] = []

const work = (name = '.') => join(profile, '.plugmark', name)
const job = {
  id: '00000000-0000-4000-8000-000000000000',
  action: 'install',
  listing: 'a/half',
  more: [],
  command: 'dsh',
  queuedAt: 0,
  startedAt: 0,
} as const

/** Creates the leftovers of a host that ended in the middle of an install. */
beforeEach(async () => {
  home = await aHome()
  profile = home.directory
  await furnish(profile)
  await writeFile(join(home.home, 'program.cjs'), FAKE_HARNESS)
  manifest = await readFile(join(profile, 'package.json'), 'utf8')
  await mkdir(work())
  const journal = await beginJournal(profile, job, [{ kind: 'npm', name: 'half' }])
  await takeSnapshot(profile, journal, { signal: new AbortController().signal, keepsUndo: true })
  await writeFile(join(profile, 'package.json'), JSON.stringify({ ...JSON.parse(manifest), description: 'half' }))
})
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()))
  await home.dispose()
})

function aHost(): StoreHost {
  told = new Map()
  const records = ['good', 'waits'].map((name) => aRecord(`a/${name}`, { installCheck: 'passed' }))
  const host = createStoreHost(home.options, directoryOf(records))
  host.subscribe((event) => event.type === 'job' && told.set(event.job.id, event.job))
  hosts.push(host)
  return host
}
async function start(host: StoreHost, id: string): Promise<string> {
  const { token } = value(await host.calls.review({ id, profile: 'web', action: 'install' }))
  return value(await host.calls.start({ id, token, acknowledged: false })).id
}
async function outcome(id: string) {
  await expect.poll(() => told.get(id)?.state).toBe('done')
  return told.get(id)!.outcome!
}
const install = async (host: StoreHost) => outcome(await start(host, 'a/good'))
/** Returns the files that a job left in the state folder. */
const left = async () => (await readdir(work()).catch(() => [])).filter((name) => name !== 'undo' && name !== 'history')

const rewrite = async (change: (text: string) => string) =>
  writeFile(work('journal.json'), change(await readFile(work('journal.json'), 'utf8')))

describe('a journal of a newer version of the store', () => {
  beforeEach(() => rewrite((text) => text.replace(/"version":\d+/, '"version":1000')))

  test('refuses every job, asks for an update, and is neither moved nor changed', async () => {
    const was = await hashTree(profile)
    const host = aHost()
    expect(await install(host)).toMatchObject({ kind: 'store-outdated', quarantined: [], rollback: null })
    await host.close()
    expect(await hashTree(profile)).toBe(was)
  })

  test('a journal of a newer version of the store is named by the doctor', async () => {
    const { findings } = await aHost().doctor({ profile: 'web' })
    expect(findings).toContainEqual(expect.objectContaining({ kind: 'store-outdated', severity: 'error' }))
  })
})

describe('a journal that cannot be read', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['it is cut short', () => rewrite((text) => text.slice(0, 40))],
    ['it is empty', () => rewrite(() => '')],
    [
      'it is of a version that was never released',
      () => rewrite((text) => text.replace(/"version":\d+/, '"version":6')),
    ],
    [
      'it is a directory',
      async () => {
        await rm(work('journal.json'))
        await mkdir(work('journal.json'))
      },
    ],
    [
      'it leads to itself',
      async () => {
        await rm(work('journal.json'))
        await symlink('journal.json', work('journal.json'))
      },
    ],
  ])(
    'a journal that cannot be read is set aside with its snapshot by the next job, which says where it is and succeeds: %s',
    async (_, damage) => {
      await damage()
      const host = aHost()
      const { kind, quarantined } = await install(host)
      expect({ kind, count: quarantined.length }).toEqual({ kind: 'registered', count: 1 })
      expect(await readFile(join(profile, quarantined[0]!, 'snapshot/package.json'), 'utf8')).toBe(manifest)
      expect(await readdir(join(profile, quarantined[0]!))).toContain('journal.json')
      expect(await left()).toEqual([])
      expect(await install(host)).toMatchObject({ kind: 'registered', quarantined: [] })
    },
  )

  test.skipIf(process.getuid?.() === 0)(
    'a journal that cannot be read is quarantined too when this user may not read it',
    async () => {
      await chmod(work('journal.json'), 0)
      expect(await install(aHost())).toMatchObject({ kind: 'registered', quarantined: [expect.any(String)] })
    },
  )

  test('makes the job fail when it is a file in place of the state folder', async () => {
    await rm(work(), { recursive: true })
    await writeFile(join(profile, '.plugmark'), 'of somebody else')
    expect(await install(aHost())).toMatchObject({ kind: 'disk-error', subjects: ['ENOTDIR'] })
    expect(await readFile(join(profile, '.plugmark'), 'utf8')).toBe('of somebody else')
  })

  test('a journal that cannot be read is named even when the job itself cannot be prepared', async () => {
    await rewrite(() => '')
    await rename(join(profile, 'node_modules'), join(home.home, 'modules'))
    await symlink(join(home.home, 'modules'), join(profile, 'node_modules'))
    expect(await install(aHost())).toMatchObject({
      kind: 'failed',
      subjects: ['node_modules is not a directory of its own', 'profile'],
      quarantined: [expect.any(String)],
    })
  })

  test('stays in place when a host only starts, because no outcome could report it', async () => {
    await rewrite(() => '')
    await aHost().close()
    expect(await left()).toEqual(expect.arrayContaining(['journal.json', 'snapshot']))
    expect(await readFile(work('snapshot/package.json'), 'utf8')).toBe(manifest)
  })
})

describe('a snapshot that cannot be read', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['its package.json is gone', () => rm(work('snapshot/package.json'))],
    ['its package.json is cut short', () => writeFile(work('snapshot/package.json'), '{ "half')],
    [
      'its lock is a directory',
      async () => {
        await rm(work('snapshot/pnpm-lock.yaml'), { force: true })
        await mkdir(work('snapshot/pnpm-lock.yaml'))
      },
    ],
    ['its modules are gone', () => rm(work('snapshot/node_modules'), { recursive: true })],
  ])(
    'a snapshot that cannot be read is quarantined and reported at the next start, and refuses no later job: %s',
    async (_, damage) => {
      await damage()
      const host = aHost()
      const { rollback, quarantined } = await outcome(job.id)
      expect({ rollback, count: quarantined.length }).toEqual({ rollback: 'unreadable', count: 1 })
      expect(await readdir(join(profile, quarantined[0]!))).toEqual(
        expect.arrayContaining(['snapshot', 'journal.json']),
      )
      expect(await readFile(join(profile, 'package.json'), 'utf8')).toContain('half')
      expect(await left()).toEqual([])
      expect(await install(host)).toMatchObject({ kind: 'registered', quarantined: [] })
    },
  )

  test('a snapshot that cannot be read is reported with the outcome of the job that ends now', async () => {
    await rm(work(), { recursive: true })
    const host = aHost()
    const id = await start(host, 'a/waits')
    await whenJob(host, id, ({ output }) => output.some((line) => line.startsWith('done')))
    await writeFile(work('snapshot/package.json'), '')
    await host.calls.cancel({ job: id })
    expect(await outcome(id)).toMatchObject({
      kind: 'cancelled',
      rollback: 'unreadable',
      quarantined: [expect.any(String)],
      profile: { dependency: true },
    })
    expect(await left()).toEqual([])
  })
})

test('quarantines nothing in a profile without a journal', async () => {
  await rm(work(), { recursive: true })
  expect(await install(aHost())).toMatchObject({ kind: 'registered', quarantined: [] })
})
