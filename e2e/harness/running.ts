import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Home } from './home.ts'

/** The harness with its web page, running from a home's profile. */
export interface Harness {
  /** Address of its page, without a trailing slash. */
  readonly url: string
  /** The address it printed: since 0.1.2 with a token, without which the page is refused. */
  readonly address: string
  /** Header `cookie` after a visit to that address; empty before 0.1.2. */
  readonly cookie: string
  readonly pid: number
  isAlive(): boolean
  /** Returns its output so far. */
  log(): string
  /** Resolves when its output has a line. */
  printed(line: string): Promise<void>
  /** Asks it to end. @returns its exit code, 0 on success */
  close(): Promise<number | null>
  /** Kills it. Its port is free afterwards. */
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
  const lines = new Set<string>()
  const awaited = new Map<string, () => void>()
  const { promise: ready, resolve } = Promise.withResolvers<string | null>()
  const hear = (line: string) => {
    log += `${line}\n`
    lines.add(line)
    awaited.get(line)?.()
  }
  createInterface({ input: web.stderr }).on('line', hear)
  createInterface({ input: web.stdout }).on('line', (line) => {
    hear(line)
    const printed = /^dsh web: (http:\S+)/.exec(line)?.[1]
    if (printed) resolve(printed)
  })
  void closed.then(() => resolve(null))
  const address = await ready
  if (address === null) throw new Error(`The harness did not start:\n${log}`)
  const entered = await fetch(address, { redirect: 'manual' })
  await entered.body?.cancel()
  return {
    url: new URL(address).origin,
    address,
    cookie: entered.headers.get('set-cookie')?.split(';')[0] ?? '',
    pid: web.pid ?? 0,
    isAlive: () => web.exitCode === null && web.signalCode === null,
    log: () => log,
    printed: (line) =>
      new Promise((resolve) => {
        if (lines.has(line)) resolve()
        else awaited.set(line, resolve)
      }),
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
