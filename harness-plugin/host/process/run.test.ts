import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type ProcessOptions, runProcess, withTimeout } from './run.ts'

/** Runs a small program in place of the harness: these tests are only about the handling of processes. */
function run(script: string, options: Partial<ProcessOptions> = {}) {
  let text = ''
  const events = new EventTarget()
  const end = runProcess({
    command: [process.execPath, '-e', script],
    cwd: process.cwd(),
    env: {},
    signal: new AbortController().signal,
    onText: (_, more) => {
      text += more
      events.dispatchEvent(new Event('text'))
    },
    ...options,
  })
  return { end, text: () => text, firstText: once(events, 'text') }
}

/** Returns true for a running process. In a container an ended orphan may keep its pid in the state Z. */
const isRunning = (pid: number) => {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  const stat = `/proc/${pid}/stat`
  return !existsSync(stat) || !/\) Z /.test(readFileSync(stat, 'utf8'))
}

/** Starts a child that would outlive it, prints the child's pid and waits. */
const WITH_CHILD = `
  const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  console.log(child.pid)
  setInterval(() => {}, 1000)`

test('passes on the output of both streams and the exit code', async () => {
  const { end, text } = run('console.log("out"); console.error("err"); process.exitCode = 3')
  expect(await end).toEqual({ kind: 'exited', code: 3 })
  expect(text().split('\n').toSorted()).toEqual(['', 'err', 'out'])
})

test('passes arguments unchanged without a shell', async () => {
  const command = [
    process.execPath,
    '-e',
    'console.log(JSON.stringify(process.argv.slice(1)))',
    '$HOME; echo x',
    '`id`',
  ]
  const { end, text } = run('', { command })
  await end
  expect(JSON.parse(text())).toEqual(['$HOME; echo x', '`id`'])
})

test('distinguishes a missing program from one that fails', async () => {
  expect(await run('', { command: ['/nowhere/dsh'] }).end).toEqual({ kind: 'not-found', code: null })
})

test('ends all processes that the program started when it is cancelled', async () => {
  const cancel = new AbortController()
  const { end, text, firstText } = run(WITH_CHILD, { signal: cancel.signal })
  await firstText
  cancel.abort()
  expect((await end).kind).toBe('cancelled')
  await expect.poll(() => isRunning(Number(text()))).toBe(false)
})

test('kills a program that ignores SIGTERM at the time limit', async () => {
  const { end } = run("process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)", {
    signal: withTimeout(new AbortController().signal, 300),
  })
  expect((await end).kind).toBe('timed-out')
})

test('ends background processes together with the program', async () => {
  const { end, text } = run(`${WITH_CHILD.replace(/setInterval.*$/, '')}; child.unref(); process.exit(0)`)
  expect(await end).toEqual({ kind: 'exited', code: 0 })
  await expect.poll(() => isRunning(Number(text()))).toBe(false)
})

test('does not start the program when the signal was aborted before', async () => {
  const { end, text } = run('console.log("started")', { signal: AbortSignal.abort() })
  expect((await end).kind).toBe('cancelled')
  expect(text()).toBe('')
})

test('reports why a program cannot be started, and never rejects', async () => {
  expect(await run('', { command: ['no-such-program-anywhere'] }).end).toEqual({ kind: 'not-found', code: null })
  expect(await run('', { cwd: '/no/such/folder' }).end).toEqual({ kind: 'no-folder', code: null })
  // An argument that is too long for the system, or a file in place of a folder, makes spawn itself throw.
  expect(await run('', { command: [process.execPath, 'x'.repeat(10_000_000)] }).end).toMatchObject({
    kind: 'not-started',
  })
  expect(await run('', { cwd: process.execPath }).end).toMatchObject({ kind: 'not-started' })
})
