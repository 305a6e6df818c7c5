import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { endOrphanedProcesses, JOB_VARIABLE } from './orphaned-processes.ts'

let directory: string
const children: ChildProcess[] = []
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plugmark-processes-'))
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await rm(directory, { recursive: true })
})

async function running(job: string, cwd: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1000)'], {
    cwd,
    detached: true,
    env: { [JOB_VARIABLE]: job },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  children.push(child)
  await once(child.stdout!, 'data')
  return child
}

test('what a job left running is ended, and nobody else’s', async () => {
  const job = randomUUID()
  const [left, other] = await Promise.all([running(job, directory), running(randomUUID(), directory)])
  const ended = once(left, 'exit')
  expect(await endOrphanedProcesses(job)).toBe(true)
  expect(await ended).toEqual([null, 'SIGKILL'])
  expect(other.exitCode).toBeNull()
  expect(other.signalCode).toBeNull()
})

test('of those in a directory, only these', async () => {
  const job = randomUUID()
  const [inside, outside] = await Promise.all([running(job, directory), running(job, tmpdir())])
  const ended = once(inside, 'exit')
  expect(await endOrphanedProcesses(job, directory)).toBe(true)
  expect(await ended).toEqual([null, 'SIGKILL'])
  expect(outside.signalCode).toBeNull()
})
