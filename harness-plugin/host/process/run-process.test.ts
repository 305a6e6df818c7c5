import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type ProcessOptions, runProcess } from './run-process.ts'

/** A small program in place of the harness: what is tried here is the handling of processes alone. */
function run(script: string, options: Partial<ProcessOptions> = {}) {
  let text = ''
  const events = new EventTarget()
  const end = runProcess({
    command: [process.execPath, '-e', script],
    cwd: process.cwd(),
    env: {},
    deadline: performance.now() + 20_000,
    signal: new AbortController().signal,
    onText: (_, more) => {
      text += more
      events.dispatchEvent(new Event('text'))
    },
    ...options,
  })
  return { end, text: () => text, firstText: once(events, 'text') }
}

/** In a container nobody may collect an ended orphan: it keeps its pid, in the state Z. */
const isRunning = (pid: number) => {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  const stat = `/proc/${pid}/stat`
  return !existsSync(stat) || !/\) Z /.test(readFileSync(stat, 'utf8'))
}

/** Starts a child that would live on, tells its pid and waits. */
const WITH_CHILD = `
  const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  console.log(child.pid)
  setInterval(() => {}, 1000)`

test('output of both streams and the exit code are passed on', async () => {
  const { end, text } = run('console.log("out"); console.error("err"); process.exitCode = 3')
  expect(await end).toEqual({ how: 'exited', code: 3 })
  expect(text().split('\n').toSorted()).toEqual(['', 'err', 'out'])
})

test('arguments reach the program as they are: no shell reads them', async () => {
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

test('a program that is not there is told apart from one that fails', async () => {
  expect(await run('', { command: ['/nowhere/dsh'] }).end).toEqual({ how: 'not-found', code: null })
})

test('cancel ends everything it started', async () => {
  const cancel = new AbortController()
  const { end, text, firstText } = run(WITH_CHILD, { signal: cancel.signal })
  await firstText
  cancel.abort()
  expect((await end).how).toBe('cancelled')
  await expect.poll(() => isRunning(Number(text()))).toBe(false)
})

test('the time limit ends one that ignores being asked', async () => {
  const { end } = run("process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)", {
    deadline: performance.now() + 300,
  })
  expect((await end).how).toBe('timed-out')
})

test('what a program leaves running in the background ends with it', async () => {
  const { end, text } = run(`${WITH_CHILD.replace(/setInterval.*$/, '')}; child.unref(); process.exit(0)`)
  expect(await end).toEqual({ how: 'exited', code: 0 })
  await expect.poll(() => isRunning(Number(text()))).toBe(false)
})

test('a signal that came before does not start it', async () => {
  const { end, text } = run('console.log("started")', { signal: AbortSignal.abort() })
  expect((await end).how).toBe('cancelled')
  expect(text()).toBe('')
})

test('says what is missing where a program cannot be started, and never rejects', async () => {
  expect(await run('', { command: ['no-such-program-anywhere'] }).end).toEqual({ how: 'not-found', code: null })
  expect(await run('', { cwd: '/no/such/folder' }).end).toEqual({ how: 'no-folder', code: null })
  // Too long for the system: of this, and of a file in place of a folder, spawn itself throws.
  expect(await run('', { command: [process.execPath, 'x'.repeat(10_000_000)] }).end).toMatchObject({
    how: 'not-started',
  })
  expect(await run('', { cwd: process.execPath }).end).toMatchObject({ how: 'not-started' })
})
