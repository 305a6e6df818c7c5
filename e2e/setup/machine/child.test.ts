import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { follow } from './child.mjs'

const options = { cwd: process.cwd(), env: process.env }

test('lines of both streams are followed, and the exit code is kept', async () => {
  const lines: string[] = []
  const script = `console.log('out'); console.error('err'); process.exitCode = 7`
  expect(await follow(process.execPath, ['--eval', script], options, (line) => lines.push(line))).toBe(7)
  expect(lines.sort()).toEqual(['err', 'out'])
})

test('a program that a signal ends has 128 and its number', async () => {
  const script = `process.kill(process.pid, 'SIGKILL')`
  expect(await follow(process.execPath, ['--eval', script], options, () => {})).toBe(137)
})

test('a program that is not there is an error', async () => {
  await expect(follow('no-such-program', [], options, () => {})).rejects.toThrow('ENOENT')
})

/** Counts the signals it gets before it ends by itself, as a server that cleans up does. */
const patient = `
  let signals = 0
  const end = () => { signals++; setTimeout(() => { console.log('signals ' + signals); process.exit(3) }, 300) }
  process.on('SIGTERM', end); process.on('SIGINT', end)
  setInterval(() => {}, 1000)
  console.log('ready')`

test.each([
  ['SIGINT', 'our whole group'],
  ['SIGTERM', 'our whole group'],
  ['SIGTERM', 'us alone'],
] as const)('%s to %s reaches the child once', async (signal, target) => {
  const script = `
    import { run } from ${JSON.stringify(new URL('./child.mjs', import.meta.url).href)}
    process.exitCode = await run(process.execPath, ['--eval', ${JSON.stringify(patient)}], { cwd: '.', env: process.env })`
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  createInterface({ input: parent.stdout }).on('line', (line) => {
    lines.push(line)
    if (line === 'ready') process.kill(target === 'us alone' ? parent.pid! : -parent.pid!, signal)
  })
  const [code] = await once(parent, 'close')
  expect(lines).toEqual(['ready', 'signals 1'])
  expect(code).toBe(3)
})
