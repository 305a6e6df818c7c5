import { readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { thisProcess } from '../process/owner.ts'
import { aHome } from '../testing.ts'
import { lockProfile } from './profile-lock.ts'

/** What this machine is called. */
const name = vi.hoisted(() => ({ now: 'before' }))
vi.mock('node:os', async (original) => ({ ...(await original<object>()), hostname: () => name.now }))

let home: Awaited<ReturnType<typeof aHome>>
beforeEach(async () => {
  home = await aHome()
})
afterEach(() => home.dispose())

const lock = () => lockProfile(home.directory, { wait: false })
const file = () => join(home.directory, '.plugmark.lock')
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
  expect(await readdir(home.directory)).toEqual(['package.json'])
  const again = await lock()
  expect(again).not.toBeNull()
  await again?.release()
})

test('of many that ask at once, one gets one that was left behind', async () => {
  await owned({ pid: 2 ** 22 + 1 })
  const had = (await Promise.all(Array.from({ length: 20 }, lock))).filter((got) => got !== null)
  expect(had).toHaveLength(1)
  await had[0]?.release()
  expect(await readdir(home.directory)).toEqual(['package.json'])
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
  const waiting = lockProfile(home.directory, { signal: waits.signal })
  waits.abort()
  expect(await waiting).toBeNull()
  await mine?.release()
})
