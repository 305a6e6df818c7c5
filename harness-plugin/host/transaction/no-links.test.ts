import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { thisProcess } from '@plugmark/shared/file-lock'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { hostForTests } from '../host-testing.ts'
import { FAKE_HARNESS, hashTree, whenJob } from '../testing.ts'
import { lockProfile } from './journal.ts'

/** Simulates a file system without hard and symbolic links, such as exFAT. */
const refusal = vi.hoisted(() => ({ code: 'EPERM' }))
vi.mock('node:fs/promises', async (original) => {
  const refuse = () => Promise.reject(Object.assign(new Error(refusal.code), { code: refusal.code }))
  return { ...(await original<object>()), link: refuse, symlink: refuse }
})

const { its, install, ended } = hostForTests()
let before: string
beforeEach(async () => {
  const old = join(its.home.directory, 'node_modules/old')
  await mkdir(old, { recursive: true })
  await writeFile(join(old, 'index.js'), 'as it was')
  await writeFile(join(its.home.home, 'program.cjs'), FAKE_HARNESS)
  before = await hashTree(its.home.directory, ['.plugmark'])
})
afterEach(() => {
  refusal.code = 'EPERM'
})

const lock = () => lockProfile(its.home.directory, { wait: false })

test.each(['EPERM', 'ENOTSUP', 'ENOSYS'])(
  'installs or rolls back when the file system refuses links with %s',
  async (code) => {
    refusal.code = code
    expect((await ended((await install('a/other')).id)).outcome).toMatchObject({ kind: 'failed', rollback: 'complete' })
    expect(await hashTree(its.home.directory, ['.plugmark'])).toBe(before)
    expect((await ended((await install('a/good')).id)).outcome).toMatchObject({ kind: 'registered', rollback: null })
    expect(await readdir(join(its.home.directory, '.plugmark'))).toEqual(['history', 'undo'])
  },
)

test('without links, gives the lock to one caller at a time, and leaves no file of it', async () => {
  const had = (await Promise.all(Array.from({ length: 20 }, lock))).filter((got) => got !== null)
  expect(had).toHaveLength(1)
  const owner = JSON.parse(await readFile(join(its.home.directory, '.plugmark/lock'), 'utf8'))
  expect(owner).toMatchObject(await thisProcess())
  expect(await lock()).toBeNull()
  await had[0]?.release()
  expect(await hashTree(its.home.directory, ['.plugmark'])).toBe(before)
})

test('without links, lets one of many callers take over a stale lock', async () => {
  const ended = { id: 'x', ...(await thisProcess()), pid: 2 ** 22 + 1 }
  await mkdir(join(its.home.directory, '.plugmark'))
  await writeFile(join(its.home.directory, '.plugmark/lock'), JSON.stringify(ended))
  const had = (await Promise.all(Array.from({ length: 20 }, lock))).filter((got) => got !== null)
  expect(had).toHaveLength(1)
  await had[0]?.release()
  expect(await hashTree(its.home.directory, ['.plugmark'])).toBe(before)
})

test('without links, makes a job wait for the job of another host', async () => {
  const other = await lock()
  const { id } = await install('a/good')
  await whenJob(its.host, id, ({ profileBusy }) => profileBusy)
  await other?.release()
  expect((await ended(id)).outcome?.kind).toBe('registered')
})
