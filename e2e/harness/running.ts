import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Home } from './home.ts'

/** The harness with its web page, running from a home's profile. */
export interface Harness {
  /** Where its page is, without a trailing slash. */
  readonly url: string
  readonly pid: number
  isAlive(): boolean
  /** What it wrote so far. */
  log(): string
  /** Asks it to end. @returns its exit code; 0 when it ended well */
  close(): Promise<number | null>
  /** Ends it without a chance to do anything; its port is free then. */
  kill(): Promise<void>
}

/**
 * @param port of its page; 0 for any that is free
 * @throws with what the harness wrote when it ends before its page is there
 */
export async function startHarness({ home, command, env }: Home, port = 0): Promise<Harness> {
  const [program = '', ...leading] = command
  const args = [...leading, 'web', '--no-open', '--port', `${port}`]
  const web = spawn(program, args, { cwd: home, env, stdio: 'pipe' })
  const closed = once(web, 'close')
  let log = ''
  web.stderr.on('data', (chunk) => (log += chunk))
  const { promise: ready, resolve } = Promise.withResolvers<string | null>()
  createInterface({ input: web.stdout }).on('line', (line) => {
    log += `${line}\n`
    const url = /^dsh web: (http:\/\/[^/\s]+)/.exec(line)?.[1]
    if (url) resolve(url)
  })
  void closed.then(() => resolve(null))
  const url = await ready
  if (url === null) throw new Error(`The harness did not start:\n${log}`)
  return {
    url,
    pid: web.pid ?? 0,
    isAlive: () => web.exitCode === null && web.signalCode === null,
    log: () => log,
    async close() {
      web.kill()
      const [code] = await closed
      return code
    },
    async kill() {
      web.kill('SIGKILL')
      await closed
    },
  }
}
