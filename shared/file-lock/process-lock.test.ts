import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { processLock } from './file-lock.ts'
import { thisProcess } from './index.ts'

let directory: string
let path: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plugmark-lock-'))
  path = join(directory, 'index.json')
})
afterEach(() => rm(directory, { recursive: true }))

/** Starts a process that takes the lock and holds it until it is killed. */
async function holder() {
  const module = fileURLToPath(new URL('./file-lock.ts', import.meta.url))
  const program = `
    const { processLock } = await import(${JSON.stringify(module)})
    await processLock({ path: ${JSON.stringify(path)} }).run(10_000, () => {
      console.log('held')
      return new Promise((resolve) => setTimeout(resolve, 3_600_000))
    })`
  const child = spawn(execPath, ['--input-type=module', '--eval', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(createInterface(child.stdout), 'line')
  return child
}

test('releases the lock when the task settles, also when it fails', async () => {
  const lock = processLock({ path })
  expect(await lock.run(1_000, async () => readdir(directory))).toEqual({ held: true, value: ['index.json.lock'] })
  await expect(lock.run(1_000, () => Promise.reject(new Error('task')))).rejects.toThrow('task')
  expect(await readdir(directory)).toEqual([])
})

test('runs the task when no lock file can be created', async () => {
  await writeFile(path, 'in the way')
  const lock = processLock({ path: join(path, 'index.json') })
  expect(await lock.run(1_000, async () => 1)).toEqual({ held: true, value: 1 })
  await expect(lock.run(1_000, () => Promise.reject(new Error('task')))).rejects.toThrow('task')
})

test('runs one task at a time over two locks of one process', async () => {
  let running = 0
  const task = async () => {
    expect(++running).toBe(1)
    await readdir(directory)
    return --running
  }
  const [first, second] = [processLock({ path }), processLock({ path })]
  const turns = [first, second, first, second].map((lock) => lock.run(30_000, task))
  expect(await Promise.all(turns)).toEqual(Array(4).fill({ held: true, value: 0 }))
})

test('waits for a running owner, and takes over from a killed one', async () => {
  const child = await holder()
  const lock = processLock({ path })
  expect(await lock.run(120, async () => 'mine')).toEqual({ held: false })
  expect(JSON.parse(await readFile(`${path}.lock`, 'utf8')).pid).toBe(child.pid)

  const turn = lock.run(30_000, async () => 'mine')
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(await turn).toEqual({ held: true, value: 'mine' })
  expect(await readdir(directory)).toEqual([])
})

test('lets one of several waiting tasks take over an abandoned lock', async () => {
  await leave({ pid: 2 ** 22 + 1 })
  let running = 0
  const turns = Array.from({ length: 5 }, () =>
    processLock({ path }).run(30_000, async () => {
      expect(++running).toBe(1)
      await readdir(directory)
      running--
    }),
  )
  expect((await Promise.all(turns)).every(({ held }) => held)).toBe(true)
})

test('takes over a lock older than five minutes, whoever owns it', async () => {
  await leave({})
  expect(await processLock({ path }).run(0, async () => 1)).toEqual({ held: false })
  const sixMinutesAgo = Date.now() / 1000 - 360
  await utimes(`${path}.lock`, sixMinutesAgo, sixMinutesAgo)
  expect(await processLock({ path }).run(5_000, async () => 1)).toEqual({ held: true, value: 1 })
})

test('waits for an owner on another machine', async () => {
  await leave({ pid: 2 ** 22 + 1, host: 'elsewhere.example' })
  expect(await processLock({ path }).run(120, async () => 1)).toEqual({ held: false })
})

test('leaves a lock alone that another owner has taken over', async () => {
  await processLock({ path }).run(1_000, () => leave({}))
  expect(JSON.parse(await readFile(`${path}.lock`, 'utf8')).id).toBe('left')
})

const leave = async (owner: { pid?: number; host?: string }) =>
  writeFile(`${path}.lock`, JSON.stringify({ id: 'left', ...(await thisProcess()), ...owner }))
