import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { follow, run } from '../machine/child.mjs'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** A tool of the lockfile, by package and command name, with its arguments. */
export interface Program {
  readonly package: string
  /** Default: the package's name. */
  readonly bin?: string
  readonly args: readonly string[]
}

/** Runs a tool with the Node that runs us, its output in front. Resolves to its exit code. */
export const runInFront = (program: Program, env: Record<string, string> = {}): Promise<number> =>
  run(process.execPath, [binOf(program), ...program.args], { cwd: root, env: { ...process.env, ...env } })

/** Runs a tool and keeps what it says, so that several can run at a time. */
export async function runBehind(program: Program): Promise<{ exitCode: number; output: string }> {
  const lines: string[] = []
  const options = { cwd: root, env: process.env }
  const args = [binOf(program), ...program.args]
  const exitCode = await follow(process.execPath, args, options, (line) => lines.push(line))
  return { exitCode, output: lines.join('\n') }
}

/** The script itself, not its link in `.bin`: that is a shell script on some systems. */
function binOf({ package: name, bin = name }: Program): string {
  const manifest = join(root, 'node_modules', name, 'package.json')
  const declared: string | Record<string, string> = JSON.parse(readFileSync(manifest, 'utf8')).bin
  const file = typeof declared === 'string' ? declared : declared[bin]
  if (file === undefined) throw new Error(`${name} has no command ${bin}`)
  return join(dirname(manifest), file)
}
