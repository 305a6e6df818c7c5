import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { acquireFileLock, thisProcess } from './file-lock.ts'

/** Host name of this machine. */
const name = vi.hoisted(() => ({ now: 'before' }))
/** False for a system without /proc, such as macOS and Windows. */
const proc = vi.hoisted(() => ({ isThere: true }))
/** Called after each look at the time of a file. */
const looked = vi.hoisted(() => ({ at: async (_path: string): Promise<void> => {} }))
vi.mock('node:fs/promises', async (original) => {
  const fs = await original<typeof import('node:fs/promises')>()
  const isMissing = (path: unknown) => !proc.isThere && String(path).startsWith('/proc/')
  const missing = () => Promise.reject(Object.assign(new Error('ENOENT'), { code: 'ENOENT' }))
  const readFile = (...args: never[]) =>
    isMissing(args[0]) ? missing() : (fs.readFile as (...args: never[]) => Promise<unknown>)(...args)
  const stat = async (path: string) => {
    const found = await fs.stat(path)
    await looked.at(path)
    return found
  }
  return { ...fs, readFile, stat }
})
vi.mock('node:os', async (original) => ({ ...(await original<object>()), hostname: () => name.now }))

let directory: string
beforeEach(async () => {
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  directory = await mkdtemp(join(tmpdir(), 'plugmark-lock-'))
})
afterEach(async () => {
  vi.restoreAllMocks()
  proc.isThere = true
  looked.at = async () => {}
  await rm(directory, { recursive: true })
})

const file = () => join(directory, 'lock')
const lock = (maxSilenceMs?: number) =>
  acquireFileLock(file(), { wait: false, ...(maxSilenceMs ? { maxSilenceMs } : {}) })
/** Dates the lock file more than a minute back, as if its owner had stopped. */
async function silence(ageMs = 61_000) {
  const then = new Date(Date.now() - ageMs)
  await utimes(file(), then, then)
}
let nowMs = 0
/** Looks at the lock every five seconds. @returns the lock, or null after that time */
async function watch(seconds: number) {
  for (let passed = 0; passed < seconds; passed += 5) {
    const held = await lock()
    if (held) return held
    nowMs += 5000
  }
  return lock()
}
const owned = async (owner: object) =>
  writeFile(file(), JSON.stringify({ id: 'x', ...(await thisProcess()), ...owner }))

test('grants the lock to one caller at a time, and leaves no file behind', async () => {
  const held = await lock()
  expect(await lock()).toBeNull()
  await held?.release()
  expect(await readdir(directory)).toEqual([])
  const second = await lock()
  expect(second).not.toBeNull()
  await second?.release()
})

test('grants a stale lock to one of many simultaneous callers', async () => {
  await owned({ pid: 2 ** 22 + 1 })
  const had = (await Promise.all(Array.from({ length: 20 }, () => lock()))).filter((got) => got !== null)
  expect(had).toHaveLength(1)
  await had[0]?.release()
  expect(await readdir(directory)).toEqual([])
})

test('leaves the removal of another process that has just replaced a stale one', async () => {
  await owned({ pid: 2 ** 22 + 1 })
  const removal = `${file()}.removal`
  const then = new Date(Date.now() - 11_000)
  await writeFile(removal, 'of a process that ended')
  await utimes(removal, then, then)
  const waits = new AbortController()
  looked.at = async (path) => {
    if (path !== removal) return
    looked.at = async () => waits.abort()
    await rm(removal)
    await writeFile(removal, 'of another process')
  }
  expect(await acquireFileLock(file(), { signal: waits.signal })).toBeNull()
  expect(await readdir(directory)).toEqual(['lock', 'lock.removal'])
  expect(await readFile(removal, 'utf8')).toBe('of another process')
})

test.each([
  ['', 11_000],
  [', and whose clock was set back since', -11_000],
])('takes over a lock whose removal another process did not finish%s', async (_, ageMs) => {
  await owned({ pid: 2 ** 22 + 1 })
  const then = new Date(Date.now() - ageMs)
  await writeFile(`${file()}.removal`, '')
  await utimes(`${file()}.removal`, then, then)
  const held = await lock()
  expect(held).not.toBeNull()
  await held?.release()
  expect(await readdir(directory)).toEqual([])
})

test('takes over a lock whose pid now belongs to another process', async () => {
  await owned({})
  expect(await lock()).toBeNull()
  await owned({ start: 'long ago' })
  const held = await lock()
  expect(held).not.toBeNull()
  await held?.release()
})

test('takes over a lock of another machine that was not touched for a minute', async () => {
  await owned({ host: 'another', pid: 1 })
  expect(await lock()).toBeNull()
  await silence()
  const held = await watch(15)
  expect(held).not.toBeNull()
  await held?.release()
})

test('takes over a lock of another machine whose clock was set back since', async () => {
  await owned({ host: 'another', pid: 1 })
  await silence(-86_400_000)
  expect(await lock()).toBeNull()
  // One that is touched is left, whatever its owner's clock says.
  nowMs += 10_000
  await silence(-86_410_000)
  expect(await watch(10)).toBeNull()
  const held = await watch(15)
  expect(held).not.toBeNull()
  await held?.release()
})

test('takes over a lock without a name that was not touched for a minute', async () => {
  for (const text of ['', '{"id":']) {
    await writeFile(file(), text)
    expect(await lock()).toBeNull()
    await silence()
    const held = await watch(15)
    expect(held).not.toBeNull()
    await held?.release()
  }
})

test.skipIf(process.platform !== 'linux')('recognises its own processes after the machine was renamed', async () => {
  const held = await lock()
  name.now = 'after'
  await silence()
  expect(await lock(), 'its owner runs').toBeNull()
  await held?.release()
  name.now = 'before'
  await owned({ pid: 2 ** 22 + 1 })
  name.now = 'after'
  const second = await lock()
  expect(second, 'its owner has ended').not.toBeNull()
  await second?.release()
})

test('stops waiting when the signal aborts', async () => {
  const held = await lock()
  const waits = new AbortController()
  const waiting = acquireFileLock(file(), { signal: waits.signal })
  waits.abort()
  expect(await waiting).toBeNull()
  await held?.release()
})

test('takes over an untouched lock of a running owner only after the limit, when there is one', async () => {
  await owned({})
  await silence()
  expect(await lock(120_000)).toBeNull()
  expect(await lock()).toBeNull()
  const held = await lock(60_000)
  expect(held).not.toBeNull()
  await held?.release()
})

test('takes over, without /proc, a lock that was not touched for a minute although its pid is in use', async () => {
  proc.isThere = false
  // This pid now belongs to another program.
  await owned({ pid: process.ppid })
  expect(await lock()).toBeNull()
  await silence()
  const held = await watch(15)
  expect(held).not.toBeNull()
  await held?.release()
})

test('leaves, without /proc, the lock of a process that touches it again after the machine slept', async () => {
  proc.isThere = false
  await owned({ pid: process.ppid })
  await silence()
  expect(await watch(10)).toBeNull()
  // The machine sleeps, and this process looks first when it wakes.
  nowMs += 3_600_000
  expect(await watch(10)).toBeNull()
  await utimes(file(), new Date(), new Date())
  expect(await watch(60)).toBeNull()
})

test('takes over, without /proc, the lock of an ended process at once', async () => {
  proc.isThere = false
  await owned({ pid: 2 ** 22 + 1 })
  const held = await lock()
  expect(held).not.toBeNull()
  await held?.release()
})
