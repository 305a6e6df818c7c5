import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withLock } from './lock.mjs'

let directory: string
let lock: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plugmark-lock-'))
  lock = join(directory, 'cache', 'setup.lock')
})
afterEach(() => rm(directory, { recursive: true }))

function sizeOf(folder: string): number | null {
  try {
    return readdirSync(folder).length
  } catch {
    return null
  }
}

const nobody = () => {
  throw new Error('nobody else has the lock')
}

/** Another process that takes the lock, says so, and keeps it until it is told to let go. */
function holder() {
  const script = `
    import { withLock } from ${JSON.stringify(new URL('./lock.mjs', import.meta.url).href)}
    await withLock(${JSON.stringify(lock)}, () => {}, async () => {
      console.log('held')
      await new Promise((done) => process.stdin.once('data', done))
    })
    process.exit(0)`
  return spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: ['pipe', 'pipe', 'inherit'] })
}

test('the lock is there while the work goes on, gone afterwards, and nothing is left over', async () => {
  const answer = await withLock(lock, nobody, async () => {
    expect(existsSync(lock)).toBe(true)
    return 42
  })
  expect(answer).toBe(42)
  expect(await readdir(join(directory, 'cache'))).toEqual([])
})

test('work that fails lets go', async () => {
  const work = withLock(lock, nobody, () => Promise.reject(new Error('no disk')))
  await expect(work).rejects.toThrow('no disk')
  expect(existsSync(lock)).toBe(false)
})

test('a second process is told who has it, and waits', async () => {
  const other = holder()
  await once(other.stdout, 'data')
  const owners: number[] = []
  const order: string[] = []
  const work = withLock(
    lock,
    (owner) => {
      owners.push(owner)
      order.push('waits')
      other.stdin.end('let go')
    },
    async () => order.push('works'),
  )
  await once(other, 'exit')
  await work
  expect(owners).toEqual([other.pid])
  expect(order).toEqual(['waits', 'works'])
})

test('it goes as a whole: emptied in its place, another could take it in the middle of that', async () => {
  const names = Array.from({ length: 500 }, (_, n) => `file ${n}`)
  const full = Promise.withResolvers<void>()
  let isOver = false
  const work = withLock(lock, nobody, async () => {
    await Promise.all(names.map((name) => writeFile(join(lock, name), '')))
    full.resolve()
  }).finally(() => {
    isOver = true
  })
  await full.promise
  const sizes = new Set<number | null>()
  // What waits for its turn behind the removal would see nothing of it.
  for (; !isOver; await nextTurn()) sizes.add(sizeOf(lock))
  await work
  expect([...sizes].filter((size) => size !== null && size !== names.length + 1)).toEqual([])
  expect(await readdir(join(directory, 'cache'))).toEqual([])
})

test('the lock of a process that was killed is taken over', async () => {
  const other = holder()
  await once(other.stdout, 'data')
  other.kill('SIGKILL')
  await once(other, 'exit')
  expect(existsSync(lock)).toBe(true)
  await withLock(lock, nobody, async () => expect(await readdir(lock)).toEqual([String(process.pid)]))
  expect(await readdir(join(directory, 'cache'))).toEqual([])
})

test('what a killed run of the same process id left is no obstacle', async () => {
  const left = `${lock}.${process.pid}`
  await mkdir(left, { recursive: true })
  await writeFile(join(left, 'half'), '')
  await withLock(lock, nobody, async () => expect(await readdir(lock)).toEqual([String(process.pid)]))
})
