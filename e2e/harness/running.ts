import { type ChildProcess, spawn } from 'node:child_process'
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
 * Ends a program when this process ends before it: a worker of Playwright ends when its runner was killed, without closing
 * what its tests use.
 */
export function endWithThisProcess(program: ChildProcess, end: () => void): void {
  if (program.pid === undefined) return
  process.once('exit', end)
  program.once('exit', () => process.off('exit', end))
}

/**
 * @param port of its page; 0 for any that is free
 * @throws with what the harness wrote when it ends before its page is there
 */
export async function startHarness({ home, command, env }: Home, port = 0): Promise<Harness> {
  const [program = '', ...leading] = command
  const args = [...leading, 'web', '--no-open', '--port', `${port}`]
  const web = spawn(program, args, { cwd: home, env, stdio: 'pipe' })
  endWithThisProcess(web, () => web.kill('SIGKILL'))
  const closed = once(web, 'close')
  let log = ''
  const lines = new Set<string>()
  const awaited = new Map<string, () => void>()
  const { promise: ready, resolve } = Promise.withResolvers<string | null>()
  const onLine = (line: string) => {
    log += `${line}\n`
    lines.add(line)
    awaited.get(line)?.()
  }
  createInterface({ input: web.stderr }).on('line', onLine)
  createInterface({ input: web.stdout }).on('line', (line) => {
    onLine(line)
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

/**
 * Returns true if the harness starts from a home's profile: it says where its page is, serves it, and ends well when it is
 * asked to. One whose tree did not come up ends by itself, with another exit code.
 */
export async function boots(home: Home): Promise<boolean> {
  const harness = await startHarness(home).catch(() => null)
  if (!harness) return false
  const served = await fetch(harness.url, { headers: { cookie: harness.cookie } }).then(
    ({ ok }) => ok,
    () => false,
  )
  return (await harness.close()) === 0 && served
}

interface Reply {
  readonly status: number
  /** Answer of the handler; null if it was not reached. */
  readonly value: unknown
}

/** Calls the store's channel as the harness's own page does, with optional replacements of headers and body. */
export async function callStore(
  { url, cookie }: Harness,
  endpoint: string,
  payload: unknown,
  change: { readonly headers?: Readonly<Record<string, string>>; readonly body?: string } = {},
): Promise<Reply> {
  const message = { type: 'client-request', rpcId: crypto.randomUUID(), method: endpoint, payload }
  const response = await fetch(`${url}/plugmark/${endpoint}`, {
    method: 'POST',
    // A connection of its own: the harness closes one after a body that is too large, and the next call would meet that.
    headers: { 'content-type': 'application/json', origin: url, cookie, connection: 'close', ...change.headers },
    body: change.body ?? JSON.stringify(message),
  })
  const text = await response.text()
  return { status: response.status, value: response.ok ? (JSON.parse(text).result?.value ?? null) : null }
}
