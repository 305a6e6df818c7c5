import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { acquireFileLock } from './file-lock.ts'
import { thisProcess } from './owner.ts'

/** What this machine is called. */
const name = vi.hoisted(() => ({ now: 'before' }))
/** False for a system without /proc, such as macOS and Windows. */
const proc = vi.hoisted(() => ({ isThere: true }))
vi.mock('node:fs/promises', async (original) => {
  const fs = await original<typeof import('node:fs/promises')>()
  const isMissing = (path: unknown) => !proc.isThere && String(path).startsWith('/proc/')
  const missing = () => Promise.reject(Object.assign(new Error('ENOENT'), { code: 'ENOENT' }))
  const readFile = (...args: never[]) =>
    isMissing(args[0]) ? missing() : (fs.readFile as (...args: never[]) => Promise<unknown>)(...args)
  return { ...fs, readFile }
})
vi.mock('node:os', async (original) => ({ ...(await original<object>()), hostname: () => name.now }))

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plugmark-lock-'))
})
afterEach(async () => {
  proc.isThere = true
  await rm(directory, { recursive: true })
})

const file = () => join(directory, 'lock')
const lock = (maxSilenceMs?: number) =>
  acquireFileLock(file(), { wait: false, ...(maxSilenceMs ? { maxSilenceMs } : {}) })
/** Its owner was heard of last more than a minute ago. */
async function silence() {
  const then = new Date(Date.now() - 61_000)
  await utimes(file(), then, then)
}
const owned = async (owner: object) =>
  writeFile(file(), JSON.stringify({ id: 'x', ...(await thisProcess()), ...owner }))

test('one has it at a time, and nothing is left of it', async () => {
  const mine = await lock()
  expect(await lock()).toBeNull()
  await mine?.release()
  expect(await readdir(directory)).toEqual([])
  const again = await lock()
  expect(again).not.toBeNull()
  await again?.release()
})

test('of many that ask at once, one gets one that was left behind', async () => {
  await owned({ pid: 2 ** 22 + 1 })
  const had = (await Promise.all(Array.from({ length: 20 }, () => lock()))).filter((got) => got !== null)
  expect(had).toHaveLength(1)
  await had[0]?.release()
  expect(await readdir(directory)).toEqual([])
})

test('a pid that is another process by now does not hold it', async () => {
  await owned({})
  expect(await lock()).toBeNull()
  await owned({ start: 'long ago' })
  const mine = await lock()
  expect(mine).not.toBeNull()
  await mine?.release()
})

test('one of another machine is left behind when it was silent for long', async () => {
  await owned({ host: 'another', pid: 1 })
  expect(await lock()).toBeNull()
  await silence()
  const mine = await lock()
  expect(mine).not.toBeNull()
  await mine?.release()
})

test('one that its owner did not come to write its name into is left behind when it was silent for long', async () => {
  for (const text of ['', '{"id":']) {
    await writeFile(file(), text)
    expect(await lock()).toBeNull()
    await silence()
    const mine = await lock()
    expect(mine).not.toBeNull()
    await mine?.release()
  }
})

test.skipIf(process.platform !== 'linux')(
  'a machine that is called otherwise by now still asks for its own processes',
  async () => {
    const mine = await lock()
    name.now = 'after'
    await silence()
    expect(await lock(), 'its owner runs').toBeNull()
    await mine?.release()
    name.now = 'before'
    await owned({ pid: 2 ** 22 + 1 })
    name.now = 'after'
    const again = await lock()
    expect(again, 'its owner has ended').not.toBeNull()
    await again?.release()
  },
)

test('waiting ends with its signal', async () => {
  const mine = await lock()
  const waits = new AbortController()
  const waiting = acquireFileLock(file(), { signal: waits.signal })
  waits.abort()
  expect(await waiting).toBeNull()
  await mine?.release()
})

test('one whose owner runs and is silent is taken over only where that is limited', async () => {
  await owned({})
  await silence()
  expect(await lock(120_000)).toBeNull()
  expect(await lock()).toBeNull()
  const mine = await lock(60_000)
  expect(mine).not.toBeNull()
  await mine?.release()
})

test('without /proc, a lock whose owner was silent for a minute is stale although its process id is in use', async () => {
  proc.isThere = false
  // An id that another program has by now.
  await owned({ pid: process.ppid })
  expect(await lock()).toBeNull()
  await silence()
  const mine = await lock()
  expect(mine).not.toBeNull()
  await mine?.release()
})

test('without /proc, a lock of a process that has ended is stale at once', async () => {
  proc.isThere = false
  await owned({ pid: 2 ** 22 + 1 })
  const mine = await lock()
  expect(mine).not.toBeNull()
  await mine?.release()
})
