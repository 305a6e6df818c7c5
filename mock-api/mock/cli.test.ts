import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runnerIn, runnerOf, serving } from '../programs-testing.ts'
import { mock } from './command.ts'

const run = runnerIn(() => mock)
const serve = (...args: string[]) => ['mock/cli.ts', '--port', '0', ...args] as const

test('prints one line with the address and the success rate, answers, and ends on SIGTERM', async () => {
  const code = await serving(serve(), async (line, url) => {
    expect(line).toMatch(
      /^Plugin directory on http:\/\/127\.0\.0\.1:\d+: \d+ listings, success rate \d+\.\d % of those tested$/,
    )
    expect((await fetch(`${url}/api/v1/index`)).status).toBe(200)
    expect((await fetch(`${url}/api/v1/index?mock-fault=500`)).status).toBe(500)
  })
  expect(code).toBe(0)
})

test('shuts down cleanly on Ctrl-C, which npm passes on a second time', async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'cli.ts'), '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  child.kill('SIGINT')
  child.kill('SIGINT')
  expect(await once(child, 'exit')).toEqual([0, null])
})

test('takes its size, quirks and fault from options', async () => {
  await serving(serve('--size', '200', '--quirks', 'live', '--no-verdicts'), async (line, url) => {
    expect(line).toContain('200 listings')
    const { total, results } = await (await fetch(`${url}/api/v1/plugins?installCheck=passed&limit=100`)).json()
    expect([total, results.length]).toEqual([200, 96])
    expect(results[0]).not.toHaveProperty('installCheck')
  })
  await serving(serve('--fault', '500'), async (_, url) => {
    expect((await fetch(`${url}/api/v1/index`)).status).toBe(500)
  })
})

test('prints its usage with --help', async () => {
  expect(await runnerOf('mock/cli.ts')('--help')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Usage: npm run mock -- /),
  })
})

test.for([
  [['--port', 'many'], '--port takes a whole number from 0 to 65535, not "many"'],
  [['--size', '-1'], '--size'],
  [['--site', 'javascript:x'], '--site takes an http or https address'],
  [['extra'], "Unexpected argument 'extra'"],
  [['--quirks', 'dead'], '--quirks takes "live"'],
  [['--fault', 'boom'], 'There is no fault "boom"'],
  [['--catalogue', 'missing.json'], 'Cannot use missing.json as a catalogue'],
  [['--catalogue', 'missing.json', '--size', '9'], 'leave it out with --catalogue'],
] as const)('%j is an error that says what to do', async ([args, message]) => {
  const { code, stdout, stderr } = await run(...args)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain(message)
  expect(stderr).not.toMatch(/^\s+at /m)
})
