import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packCli } from '@plugmark/harness-plugin/build'
import { nextSteps, nextStepsIn, runnable } from '@plugmark/harness-plugin/cli/testing'
import { type MockServer, startMockServer } from '@plugmark/mock-api/node'
import { Ajv, type ValidateFunction } from 'ajv'
import { createHome, type Home } from '../harness/home.ts'
import { madeOnce, packedOnce } from '../once.ts'
import { test as base, expect } from '../test.ts'
import { installProgram, quoted, writeLauncher } from './program.ts'

export { expect }

const RECORDED_START = fileURLToPath(new URL('../harness/recorded-start.ts', import.meta.url))

/** The packed program, installed with npm into an empty folder. */
interface Installed {
  /** Folder into which it was installed. */
  readonly folder: string
  /** The file that npm links as `plugmark`. */
  readonly program: string
  /** The JSON Schema that is published with it. */
  readonly schema: object
}

/** Packs and installs the program once for a whole run of Playwright. */
async function installOnce(): Promise<Installed> {
  const tarball = await packedOnce('cli', packCli)
  const folder = await madeOnce('cli-installed', (folder) => installProgram(tarball, folder))
  const own = join(folder, 'node_modules', 'plugmark')
  const schema = JSON.parse(await readFile(join(own, 'schema.json'), 'utf8'))
  return { folder, program: join(folder, 'node_modules/.bin/plugmark'), schema }
}

/** Result of a run. */
export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** The one document of a run with --json, valid by the published schema. */
  // biome-ignore lint/suspicious/noExplicitAny: each test looks at what it is about, and the schema has the rest
  readonly document: any
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Called once the program runs. */
  readonly onStart?: (child: ReturnType<typeof spawn>) => void
  /** Node that runs it. @default this one */
  readonly node?: string
}

export interface Cli {
  /** Runs `plugmark ARGS --json`, and checks that it wrote only one document to standard output. */
  json(args: readonly string[], options?: RunOptions): Promise<Ran>
  /** Runs `plugmark ARGS` in a pipe. */
  run(args: readonly string[], options?: RunOptions): Promise<Ran>
  /** Agrees to the review as a program does, with the digest from the first call. */
  agree(args: readonly string[], options?: RunOptions): Promise<Ran>
  readonly env: Readonly<Record<string, string>>
  readonly installed: Installed
}

interface Fixtures {
  readonly home: Home
  /** @default as of `createHome` */
  readonly pnpm: Home['pnpm'] | undefined
  /** @default 'real' */
  readonly harnessStart: 'real' | 'recorded'
  /** Program over the test's own home, which is created on demand. */
  readonly cli: Cli
  /** Program without a harness, with a state folder of its own. */
  readonly bare: Cli
}

export const test = base.extend<Fixtures, { readonly installed: Installed; readonly api: MockServer }>({
  installed: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
    async ({}, use) => use(await installOnce()),
    { scope: 'worker' },
  ],
  api: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
    async ({}, use) => {
      const api = await startMockServer()
      await use(api)
      await api.close()
    },
    { scope: 'worker' },
  ],
  pnpm: [undefined, { option: true }],
  home: async ({ registry, harnessVersion: version, pnpm }, use) => {
    const chosen = pnpm && { pnpm }
    const home = await createHome({ registry: registry.url, gitConfig: registry.gitConfig, version, ...chosen })
    await use(home)
    await home.dispose()
  },
  harnessStart: ['real', { option: true }],
  cli: async ({ home, harnessStart, installed, api }, use) => {
    const root = dirname(home.home)
    const harness = join(root, 'harness')
    const command = harnessStart === 'real' ? home.command : [process.execPath, RECORDED_START, home.version]
    await writeLauncher(harness, command)
    const env = { ...home.env, PLUGMARK_API: api.url, PLUGMARK_HARNESS: harness, XDG_STATE_HOME: join(root, 'state') }
    const cli = cliOver(installed, env)
    await use(cli)
    api.resetHandlers()
    await cli.runNextSteps()
  },
  bare: async ({ installed, api }, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'plugmark-bare-'))
    const path = [dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter)
    const cli = cliOver(installed, { PATH: path, HOME: folder, PLUGMARK_API: api.url, LANG: 'C.UTF-8' })
    await use(cli)
    api.resetHandlers()
    await cli.runNextSteps()
    await rm(folder, { recursive: true, force: true })
  },
})

/** Tests of the command line for which the start of the harness is recorded: they are not about what it shows. */
export const testOfCli = test.extend<Pick<Fixtures, 'harnessStart'>>({ harnessStart: 'recorded' })

let validate: ValidateFunction | null = null

/** Parses output. @throws unless it is one document on one line that matches the published schema */
function readDocument({ schema }: Installed, stdout: string): Ran['document'] {
  expect(stdout, 'one line on standard output').toMatch(/^[^\n]+\n$/)
  const document = JSON.parse(stdout)
  validate ??= new Ajv({ strict: false, allErrors: false }).compile(schema)
  expect(validate(document) || validate.errors, JSON.stringify(document).slice(0, 2000)).toBe(true)
  return document
}

/** Next steps that ran in this worker: one for each command, its options, and the code of the failure. */
const stepsThatRan = new Set<string>()

/** @returns also `runNextSteps`, which runs once what the failures of a test named as the next step, without a change */
function cliOver(
  installed: Installed,
  env: Readonly<Record<string, string>>,
): Cli & { readonly runNextSteps: () => Promise<void> } {
  const steps: { readonly step: readonly string[]; readonly env: RunOptions['env'] }[] = []
  const note = (found: readonly (readonly string[])[], { code }: Pick<Ran, 'code'>, options: RunOptions = {}) => {
    for (const step of found) {
      const kind = [code, step[0], ...step.filter((word) => word.startsWith('--'))].join(' ')
      if (!stepsThatRan.has(kind)) steps.push({ step, env: options.env })
      stepsThatRan.add(kind)
    }
  }
  async function runNextSteps() {
    for (const { step, env } of steps) {
      // The next one starts without what `config` stored.
      const config = await mkdtemp(join(tmpdir(), 'plugmark-steps-'))
      const ran = await start(runnable(step), { env: { ...env, XDG_CONFIG_HOME: config } })
      await rm(config, { recursive: true })
      expect([step, ran.code, ran.stderr]).not.toEqual([step, 2, ran.stderr])
      expect(ran.stdout + ran.stderr, step.join(' ')).not.toMatch(/"internal"|Something went wrong/)
    }
  }
  async function run(args: readonly string[], options?: RunOptions): Promise<Ran> {
    const ran = await start(args, options)
    note(await nextStepsIn(ran.stderr), ran, options)
    return ran
  }
  async function start(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
    const node = options.node ?? process.execPath
    const child = spawn(node, [installed.program, ...args], {
      env: { ...env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text
    })
    options.onStart?.(child)
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
    return { code, stdout, stderr, document: null }
  }
  async function json(args: readonly string[], options?: RunOptions): Promise<Ran> {
    const ran = await start([...args, '--json'], options)
    const document = readDocument(installed, ran.stdout)
    note(await nextSteps(document), ran, options)
    return { ...ran, document }
  }
  return {
    env,
    installed,
    run,
    json,
    runNextSteps,
    async agree(args, options) {
      const first = await json(args, options)
      expect(first, first.stdout).toMatchObject({ code: 4, document: { ok: false } })
      return json([...args, '--accept', first.document.data.digest], options)
    },
  }
}

/** Sends a signal when a job reaches a stage, in a run with `--events`. */
export const at = (stage: string, signal: NodeJS.Signals): RunOptions => ({
  onStart(child) {
    child.stderr?.on('data', (text) => {
      if (String(text).includes(`"state":"running","stage":"${stage}"`)) child.kill(signal)
    })
  },
})

/** Runs `plugmark ARGS` at a terminal, by util-linux’s `script`. @returns the content of the terminal */
export async function inTerminal(
  { installed, env }: Pick<Cli, 'installed' | 'env'>,
  args: readonly string[],
  options: {
    readonly columns?: number
    readonly env?: Readonly<Record<string, string>>
    /** Runs it as a background job of the shell. */
    readonly inBackground?: boolean
    /** Text to type once the terminal shows another text. */
    readonly answer?: { readonly to: string; readonly with: string }
  } = {},
): Promise<string> {
  const { columns = 100, answer, inBackground = false } = options
  const typed = [process.execPath, installed.program, ...args].map(quoted).join(' ')
  const child = spawn(
    'script',
    ['-qec', `stty cols ${columns}; ${inBackground ? `set -m; ${typed} & wait` : `exec ${typed}`}`, '/dev/null'],
    {
      env: { TERM: 'xterm-256color', SHELL: '/bin/sh', ...env, ...options.env },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  let shown = ''
  let isAnswered = false
  child.stdout.setEncoding('utf8').on('data', (text) => {
    shown += text
    if (answer === undefined || isAnswered || !shown.includes(answer.to)) return
    isAnswered = true
    child.stdin.write(answer.with)
  })
  await new Promise((resolve) => child.once('close', resolve))
  return shown
}

/** Creates an agent’s client of `plugmark mcp`. */
export function speakMcp({ installed, env }: Cli) {
  const child = spawn(process.execPath, [installed.program, 'mcp'], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  const answers = new Map<number, (result: unknown) => void>()
  const notifications: { readonly method: string }[] = []
  child.once('close', () => {
    for (const answer of answers.values()) answer(null)
  })
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const { id, result, ...message } = JSON.parse(line)
      if (id === undefined) notifications.push(message)
      else answers.get(id)?.(result)
    }
  })
  let last = 0
  const send = (message: object) => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  // biome-ignore lint/suspicious/noExplicitAny: each test looks at what it is about
  const request = (method: string, params: object): Promise<any> =>
    new Promise((resolve) => {
      const id = ++last
      answers.set(id, resolve)
      send({ id, method, params })
    })
  const client = { name: 'test', version: '1' }
  const ready = request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: client }).then(
    () => send({ method: 'notifications/initialized' }),
  )
  const call = async (method: string, params: object) => {
    await ready
    return request(method, params)
  }
  return {
    call,
    /** Messages that the server sent without being asked. */
    notifications,
    async tool(name: string, args: object) {
      const { content } = await call('tools/call', { name, arguments: args })
      return JSON.parse(content[0].text)
    },
    async end() {
      child.stdin.end()
      return (await once(child, 'close'))[0]
    },
  }
}
