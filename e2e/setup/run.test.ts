import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const RUN = fileURLToPath(new URL('run.mjs', import.meta.url))

const answers = (url: string) =>
  fetch(`${url}/api/v1/index`).then(
    ({ ok }) => ok,
    () => false,
  )

test.each([
  ['SIGKILL', 'its whole group'],
  ['SIGKILL', 'it alone'],
  ['SIGTERM', 'its whole group'],
  ['SIGTERM', 'it alone'],
] as const)('a mock that a runner started is gone after %s to %s', async (signal, target) => {
  const runner = spawn(process.execPath, [RUN, 'mock', '--port', '0'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(runner, 'exit')
  const [line] = await once(createInterface({ input: runner.stdout }), 'line')
  const url = /http:\/\/\S+:\d+/.exec(line)?.[0] ?? ''
  expect(await answers(url)).toBe(true)
  process.kill(target === 'it alone' ? runner.pid! : -runner.pid!, signal)
  await exit
  runner.stdout.destroy()
  await expect.poll(() => answers(url), { timeout: 10_000 }).toBe(false)
})
