/** Runs the command lines of this workspace for tests. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { vi } from 'vitest'
import { type Pick, runCommand } from './tools/command.ts'

/** Path of a program, `tools/cli.ts` or `mock/cli.ts`. */
const pathOf = (program: string) => join(import.meta.dirname, program)

export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Returns a function that runs a program to its end. */
export const runnerOf =
  (program: string) =>
  (...args: readonly string[]): Promise<Ended> =>
    new Promise((resolve) => {
      const child = execFile(process.execPath, [pathOf(program), ...args], (_, stdout, stderr) =>
        resolve({ code: child.exitCode ?? -1, stdout, stderr }),
      )
    })

/** Returns a function that runs a program's commands in this process, which takes a hundredth of the time. */
export const runnerIn =
  (pick: Pick) =>
  async (...args: readonly string[]): Promise<Ended> => {
    const written = { stdout: '', stderr: '' }
    const catchLines = (method: 'log' | 'error', stream: keyof typeof written) =>
      vi.spyOn(console, method).mockImplementation((text) => {
        written[stream] += `${text}\n`
      })
    const spies = [catchLines('log', 'stdout'), catchLines('error', 'stderr')]
    try {
      return { code: await runCommand(pick, args), ...written }
    } finally {
      for (const spy of spies) spy.mockRestore()
    }
  }

/** Starts a server, passes its first line and its address to `use`, and ends it with SIGTERM. @returns the exit code */
export async function serving(
  [program, ...args]: readonly [program: string, ...args: string[]],
  use: (line: string, url: string) => Promise<void>,
): Promise<number | null> {
  const child = spawn(process.execPath, [pathOf(program), ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exit = once(child, 'exit')
  try {
    const { value: line = '' } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()
    await use(line, /http:\/\/\S+:\d+/.exec(line)?.[0] ?? 'no address')
  } finally {
    child.kill('SIGTERM')
  }
  return (await exit)[0]
}
