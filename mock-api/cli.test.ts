import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 30_000 })

const CLI = fileURLToPath(new URL('cli.ts', import.meta.url))

/** Runs the command to its end. */
function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [CLI, ...args], (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}

/** Starts the command, hands its first line to `use`, and ends it with SIGTERM. */
async function serving(args: string[], use: (line: string, url: string) => Promise<void>): Promise<number | null> {
  const child = spawn(process.execPath, [CLI, '--port', '0', ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exit = once(child, 'exit')
  try {
    const { value: line = '' } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()
    await use(line, /http:\/\/\S+:\d+/.exec(line)?.[0] ?? 'no address')
  } finally {
    child.kill('SIGTERM')
  }
  return (await exit)[0]
}

describe('npm run mock', () => {
  test('prints one line with the address and the success rate, answers, and ends on SIGTERM', async () => {
    const code = await serving([], async (line, url) => {
      expect(line).toMatch(
        /^Plugin directory on http:\/\/127\.0\.0\.1:\d+: \d+ listings, success rate \d+\.\d % of those tested$/,
      )
      expect((await fetch(`${url}/api/v1/index`)).status).toBe(200)
    })
    expect(code).toBe(0)
  })

  test('ends in good order on a Ctrl-C, which npm passes on a second time', async () => {
    const child = spawn(process.execPath, [CLI, '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    child.kill('SIGINT')
    child.kill('SIGINT')
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  test('takes its size, quirks and fault from options', async () => {
    await serving(['--size', '200', '--seed', '4', '--quirks', 'live', '--no-verdicts'], async (line, url) => {
      expect(line).toContain('200 listings')
      const { total, results } = await (await fetch(`${url}/api/v1/plugins?installCheck=passed&limit=100`)).json()
      expect([total, results.length]).toEqual([200, 96])
      expect(results[0]).not.toHaveProperty('installCheck')
    })
    await serving(['--fault', '500'], async (_, url) => {
      expect((await fetch(`${url}/api/v1/index`)).status).toBe(500)
    })
  })

  test('--help prints how it is used', async () => {
    const { code, stdout } = await run('--help')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Usage: npm run mock/)
  })

  test.for([
    [['--port', 'many'], '--port takes a whole number from 0 to 65535, not "many"'],
    [['--port', '70000'], '--port takes'],
    [['--size', '-1'], '--size'],
    [['--nothing'], "Unknown option '--nothing'"],
    [['extra'], "Unexpected argument 'extra'"],
    [['--quirks', 'dead'], '--quirks takes "live"'],
    [['--fault', 'boom'], 'There is no fault "boom"'],
    [['--catalogue', 'missing.json'], 'Cannot use missing.json as a catalogue'],
    [['--catalogue', 'missing.json', '--size', '9'], 'leave it out with --catalogue'],
  ] as const)('%j is an error that says what to do', async ([args, message]) => {
    const { code, stdout, stderr } = await run(...args)
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toContain(message)
    expect(stderr).not.toMatch(/^\s+at /m)
  })
})
