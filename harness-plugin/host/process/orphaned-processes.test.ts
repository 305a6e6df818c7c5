import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endManagersProcesses, endOrphanedProcesses, JOB_VARIABLE, MANAGER_VARIABLE, psOptions } from './run.ts'

const proc = vi.hoisted(() => ({ isThere: true, isListed: true, isEmpty: false }))
vi.mock('node:fs/promises', async (original) => {
  const fs = await original<typeof import('node:fs/promises')>()
  const readdir = async (path: string) => {
    if (path === '/proc' && !proc.isListed) throw Object.assign(new Error('too many files'), { code: 'EMFILE' })
    if (path === '/proc' && !proc.isThere) throw Object.assign(new Error('hidden'), { code: 'ENOENT' })
    if (path === '/proc' && proc.isEmpty) return []
    return fs.readdir(path)
  }
  const readlink = async (path: string) => {
    if (!proc.isThere) throw Object.assign(new Error('hidden'), { code: 'ENOENT' })
    return fs.readlink(path)
  }
  return { ...fs, readdir, readlink }
})

let directory: string
const children: ChildProcess[] = []
beforeEach(async () => {
  proc.isThere = proc.isListed = true
  proc.isEmpty = false
  directory = await mkdtemp(join(tmpdir(), 'plugmark-processes-'))
})
afterEach(async () => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await rm(directory, { recursive: true })
})

async function running(job: string, cwd: string, variable = JOB_VARIABLE): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1000)'], {
    cwd,
    detached: true,
    env: { [variable]: job },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  children.push(child)
  await once(child.stdout!, 'data')
  return child
}

test.each([
  ['with /proc', true],
  ['without /proc, as on macOS', false],
])('kills every process that a job started, and none of another job: %s', async (_, isThere) => {
  proc.isThere = isThere
  const job = randomUUID()
  const [left, other] = await Promise.all([running(job, directory), running(randomUUID(), directory)])
  const ended = once(left, 'exit')
  expect(await endOrphanedProcesses(job, '/nowhere')).toBe(true)
  expect(await ended).toEqual([null, 'SIGKILL'])
  expect(other.exitCode).toBeNull()
  expect(other.signalCode).toBeNull()
})

test.each([
  ['recovery', endOrphanedProcesses],
  ['a cancelled install', endManagersProcesses],
])(
  '%s kills what the plugin manager runs in the profile, and spares what an agent started meanwhile',
  async (_, end) => {
    const job = randomUUID()
    const ofManager = (cwd: string) => running(job, cwd, MANAGER_VARIABLE)
    const [packageManager, ofAgent] = await Promise.all([ofManager(directory), ofManager(tmpdir())])
    const ended = once(packageManager, 'exit')
    expect(await end(job, directory)).toBe(true)
    expect(await ended).toEqual([null, 'SIGKILL'])
    expect(ofAgent.signalCode).toBeNull()
  },
)

test('finds the folder of a process with lsof where there is no /proc, as on macOS', async () => {
  const job = randomUUID()
  const ofManager = (cwd: string) => running(job, cwd, MANAGER_VARIABLE)
  const [packageManager, ofAgent] = await Promise.all([ofManager(directory), ofManager(tmpdir())])
  // Stands in for the lsof of macOS, which lists the process, the descriptor and the name.
  const lsof = `#!/bin/sh
[ "$*" = "-a -p $3 -d cwd -Fn" ] || exit 1
echo "p$3"
echo fcwd
[ "$3" = ${packageManager.pid} ] && echo "n${await realpath(directory)}" || echo n/
`
  await writeFile(join(directory, 'lsof'), lsof, { mode: 0o755 })
  vi.stubEnv('PATH', `${directory}:${process.env.PATH}`)
  proc.isThere = false
  const ended = once(packageManager, 'exit')
  expect(await endManagersProcesses(job, directory)).toBe(true)
  expect(await ended).toEqual([null, 'SIGKILL'])
  expect(ofAgent.signalCode).toBeNull()
})

test('asks the ps of macOS for the environment by its own letter', () => {
  expect(psOptions('darwin')).toContain('E')
  expect(psOptions('darwin')).not.toContain('e')
})

test('cannot tell whether processes are left when /proc cannot be read', async () => {
  proc.isListed = false
  expect(await endManagersProcesses(randomUUID(), directory)).toBeNull()
})

test.each([
  ['is missing', null],
  ['fails', 'exit 1'],
  ['is killed', 'kill -9 $$'],
])('cannot tell whether processes are left where there is no /proc and ps %s', async (_, script) => {
  proc.isThere = false
  if (script !== null) await writeFile(join(directory, 'ps'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  vi.stubEnv('PATH', directory)
  expect(await endOrphanedProcesses(randomUUID(), directory)).toBeNull()
})

test('cannot tell whether processes are left where /proc is an empty folder and ps is missing, as on FreeBSD', async () => {
  proc.isEmpty = true
  vi.stubEnv('PATH', directory)
  expect(await endOrphanedProcesses(randomUUID(), directory)).toBeNull()
})

test('cannot tell where the plugin manager runs something if lsof is missing', async () => {
  const job = randomUUID()
  await running(job, directory, MANAGER_VARIABLE)
  await writeFile(join(directory, 'ps'), `#!/bin/sh\necho '${children[0]?.pid} node ${MANAGER_VARIABLE}=${job}'\n`, {
    mode: 0o755,
  })
  vi.stubEnv('PATH', directory)
  proc.isThere = false
  expect(await endManagersProcesses(job, directory)).toBeNull()
})

test('looks for no processes on Windows, which has ended them with their host', async () => {
  proc.isThere = false
  vi.stubEnv('PATH', directory)
  vi.spyOn(process, 'platform', 'get').mockReturnValue('win32')
  expect(await endOrphanedProcesses(randomUUID(), directory)).toBe(true)
})
