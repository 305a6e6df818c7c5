import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { thisProcess } from '../../file-lock/index.ts'
import { fileLock } from './file-lock.ts'

let directory: string
let path: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plugmark-lock-'))
  path = join(directory, 'index.json')
})
afterEach(() => rm(directory, { recursive: true }))

/** Another process that takes the lock and holds it until it is killed. */
async function holder() {
  const module = fileURLToPath(new URL('./file-lock.ts', import.meta.url))
  const program = `
    const { fileLock } = await import(${JSON.stringify(module)})
    await fileLock({ path: ${JSON.stringify(path)} }).run(10_000, () => {
      console.log('held')
      return new Promise((resolve) => setTimeout(resolve, 3_600_000))
    })`
  const child = spawn(execPath, ['--input-type=module', '--eval', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(createInterface(child.stdout), 'line')
  return child
}

test('is let go of at the end, also of a task that fails', async () => {
  const lock = fileLock({ path })
  expect(await lock.run(1_000, async () => readdir(directory))).toEqual({ held: true, value: ['index.json.lock'] })
  await expect(lock.run(1_000, () => Promise.reject(new Error('task')))).rejects.toThrow('task')
  expect(await readdir(directory)).toEqual([])
})

test('where no lock can be made, the task runs and may not be alone', async () => {
  await writeFile(path, 'in the way')
  const lock = fileLock({ path: join(path, 'index.json') })
  expect(await lock.run(1_000, async (isAlone) => isAlone)).toEqual({ held: true, value: false })
  await expect(lock.run(1_000, () => Promise.reject(new Error('task')))).rejects.toThrow('task')
})

test('one after another, through two locks of one process', async () => {
  let running = 0
  const task = async () => {
    expect(++running).toBe(1)
    await readdir(directory)
    return --running
  }
  const [first, second] = [fileLock({ path }), fileLock({ path })]
  const turns = [first, second, first, second].map((lock) => lock.run(30_000, task))
  expect(await Promise.all(turns)).toEqual(Array(4).fill({ held: true, value: 0 }))
})

test('of a process that runs is waited for, of one that was killed is taken over', async () => {
  const child = await holder()
  const lock = fileLock({ path })
  expect(await lock.run(120, async () => 'mine')).toEqual({ held: false })
  expect(JSON.parse(await readFile(`${path}.lock`, 'utf8')).pid).toBe(child.pid)

  const turn = lock.run(30_000, async () => 'mine')
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(await turn).toEqual({ held: true, value: 'mine' })
  expect(await readdir(directory)).toEqual([])
})

test('that several find left behind is taken over by one at a time', async () => {
  await leave({ pid: 2 ** 22 + 1 })
  let running = 0
  const turns = Array.from({ length: 5 }, () =>
    fileLock({ path }).run(30_000, async () => {
      expect(++running).toBe(1)
      await readdir(directory)
      running--
    }),
  )
  expect((await Promise.all(turns)).every(({ held }) => held)).toBe(true)
})

test('older than any refresh is taken over, whoever owns it', async () => {
  await leave({})
  expect(await fileLock({ path }).run(0, async () => 1)).toEqual({ held: false })
  const sixMinutesAgo = Date.now() / 1000 - 360
  await utimes(`${path}.lock`, sixMinutesAgo, sixMinutesAgo)
  expect(await fileLock({ path }).run(5_000, async () => 1)).toEqual({ held: true, value: 1 })
})

test('of another machine is waited for', async () => {
  await leave({ pid: 2 ** 22 + 1, host: 'elsewhere.example' })
  expect(await fileLock({ path }).run(120, async () => 1)).toEqual({ held: false })
})

test('of an owner that took it over is left alone', async () => {
  await fileLock({ path }).run(1_000, () => leave({}))
  expect(JSON.parse(await readFile(`${path}.lock`, 'utf8')).id).toBe('left')
})

const leave = async (owner: { pid?: number; host?: string }) =>
  writeFile(`${path}.lock`, JSON.stringify({ id: 'left', ...(await thisProcess()), ...owner }))
