import { randomUUID } from 'node:crypto'
import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { thisProcess } from '@plugmark/shared/file-lock'
import { expect, test } from 'vitest'
import { hostForTests, value } from '../host-testing.ts'
import { journalFile, lockFile } from '../profile/state-folder.ts'
import { beginJournal, deleteJobFile, lockProfile, readOtherJob, writeJobFile } from '../transaction/journal.ts'

const { its } = hostForTests()

/** Returns the number of events about the profiles so far. */
const reports = () => its.events.filter(({ type }) => type === 'profiles').length

async function settle() {
  await expect.poll(reports).toBe(1)
}

test('reports a plugin that another program adds while a page is open', async () => {
  its.create({ hasPage: () => true })
  await settle()
  const manifest = { dependencies: { good: '^1.0.0' }, dsh: { profile: { bundles: ['good'] } } }
  await writeFile(join(its.home.directory, 'package.json'), JSON.stringify(manifest))
  await expect.poll(reports).toBe(2)
  expect(value(await its.host.calls.installed({ profile: 'web' }))).toMatchObject([{ name: 'good' }])
  await writeFile(join(its.home.directory, 'cordis.patch.yml'), '[]')
  await expect.poll(reports).toBe(3)
})

test('reports what another store found and what it holds, and a row of the running harness that ends', async () => {
  const row = { id: 'a', name: 'a', disabled: false, active: true }
  const running = {
    profile: its.home.directory,
    program: '',
    isLive: true,
    isDesktop: false,
    tree: () => ({ rows: [row], layers: [] }),
    offers: () => ({ commands: [], tools: [] }),
    pageModules: () => [],
    pluginManager: () => null,
  }
  its.create({ hasPage: () => true, running })
  await settle()
  await mkdir(join(its.home.directory, '../plugins/.plugmark'), { recursive: true })
  await appendFile(join(its.home.directory, '../plugins/.plugmark/updates.json'), '{}')
  await expect.poll(reports).toBe(2)
  row.active = false
  await expect.poll(reports).toBe(3)
})

test('names a job of another program while that runs, and not while it waits', async () => {
  its.create({ hasPage: () => true })
  await settle()
  const info = {
    id: randomUUID(),
    action: 'install',
    listing: 'a/good',
    more: [],
    command: null,
    startedAt: null,
  } as const
  await writeJobFile(its.home.directory, { ...info, queuedAt: 1 }, { owner: await thisProcess() })
  const profile = () => its.events.findLast((event) => event.type === 'profiles')?.profiles[0]
  expect(await readOtherJob(its.home.directory, () => false)).toBe(null)
  const lock = await lockProfile(its.home.directory)
  const running = { ...info, id: randomUUID(), listing: 'a/other', startedAt: 2, queuedAt: 1 }
  await beginJournal(its.home.directory, running, [], { client: 'cli' })
  await deleteJobFile(its.home.directory, info.id)
  await expect.poll(() => profile()?.otherJob).toEqual({ action: 'install', listing: 'a/other', more: [] })
  await rm(journalFile(its.home.directory))
  await lock?.release()
  await expect.poll(() => profile()?.otherJob).toBeUndefined()
})

test('names no job of a program that was killed', async () => {
  const ended = { ...(await thisProcess()), pid: 2 ** 22 + 1 }
  const job = { action: 'install', listing: 'a/other', more: [], command: null, startedAt: 2, queuedAt: 1 } as const
  await beginJournal(its.home.directory, { ...job, id: randomUUID() }, [], { client: 'cli' })
  await writeFile(lockFile(its.home.directory), JSON.stringify(ended))
  expect(await readOtherJob(its.home.directory, () => false)).toBe(null)
})

test('reports a job of another program once it has ended', async () => {
  const journal = join(its.home.directory, '../plugins/.plugmark/journal.json')
  await mkdir(join(its.home.directory, '../plugins/.plugmark'), { recursive: true })
  await writeFile(journal, '{"version":999999}')
  its.create({ hasPage: () => true })
  await writeFile(join(its.home.directory, 'pnpm-lock.yaml'), 'half')
  const other = join(its.home.home, 'profiles/work')
  await mkdir(other)
  await writeFile(join(other, 'package.json'), '{}')
  await settle()
  await rm(journal)
  await expect.poll(reports).toBe(2)
})
