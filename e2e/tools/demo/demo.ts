import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { packCli, packDsh } from '@plugmark/harness-plugin/build'
import { type Catalogue, createCatalogue } from '@plugmark/mock-api'
import { startMockServer } from '@plugmark/mock-api/node'
import { loadCatalogue } from '@plugmark/mock-api/tools'
import { buildUserscript } from '../../../userscript/build.ts'
import { installProgram, quoted, writeLauncher } from '../../cli/program.ts'
import { startConsole } from '../../console/console.ts'
import { addByHand, addStore, createHome, type Home } from '../../harness/home.ts'
import { type Harness, startHarness } from '../../harness/running.ts'
import { type HarnessVersion, missingHarness } from '../../harness/versions.ts'
import { startPages } from '../../pages/server.ts'
import { packVersion } from '../../registry/packages.ts'
import { startRegistry } from '../../registry/registry.ts'
import { directoryHandlers } from './directory.ts'
import {
  COMMANDS,
  DEMO_ROWS,
  examplesOn,
  GAINING,
  inventedRows,
  KNOWN_PROBLEM,
  MORE_COMMANDS,
  OUTDATED,
  rowsAround,
  SIGNED,
  STEPS,
} from './examples.ts'
import { guide } from './guide.ts'
import type { DemoOptions } from './options.ts'
import { writeNewer, writePlugins } from './plugins.ts'
import { RESTART_PATH, restartHandler } from './restart.ts'

export interface Demo extends AsyncDisposable {
  /** Base address of the API. */
  readonly api: string
  readonly catalogue: Catalogue
  /** Address of the code host's pages. */
  readonly pages: string
  /** Address of the console. */
  readonly store: string
  /** Address of the harness's own page, with the store in it, and the token that lets a page in; null without it. */
  readonly web: string | null
  /** Address of the page that starts the harness again; null without it. */
  readonly restart: string | null
  /** Lists what to type at a terminal: the first line puts `plugmark` on PATH, over the home. Empty without the harness. */
  readonly terminal: readonly string[]
  /** More of that. */
  readonly more: readonly string[]
  /** The throw-away home installs go into; null without the harness. */
  readonly home: Home | null
  close(): Promise<void>
}

/** Brings everything up on free ports of this machine, each part as it is shipped. */
export async function startDemo(
  { catalogue: files, harness }: DemoOptions,
  say: (line: string) => void,
): Promise<Demo> {
  await using parts = new AsyncDisposableStack()
  const real = files.length > 0
  const catalogue = real ? await loadCatalogue(...files) : createCatalogue({ rows: DEMO_ROWS })
  const api = await startMockServer({ catalogue })
  parts.defer(() => api.close())

  say('Building the userscript for that directory')
  const outDir = await mkdtemp(join(tmpdir(), 'plugmark-demo-'))
  parts.defer(() => rm(outDir, { recursive: true, force: true }))
  const { file } = await buildUserscript({ api: api.url, outDir })
  let home: Home | null = null
  let terminal: readonly string[] = []
  let more: readonly string[] = []
  let running: Harness | null = null
  const pages = await startPages({
    rows: real ? rowsAround(catalogue) : inventedRows(DEMO_ROWS),
    userscript: file,
    guide: (language) =>
      guide(
        {
          directory: real ? `${api.url}/api/v1/index` : api.url,
          store: `${store.url}/plugmark`,
          harness: running?.address ?? null,
          terminal,
          more,
          ...(real || home === null
            ? { steps: [], examples: [] }
            : { steps: STEPS, examples: examplesOn(home.version) }),
        },
        language,
      ),
  })
  parts.defer(() => pages.close())
  if (!real) api.use(...directoryHandlers(catalogue, pages.url))

  if (harness) {
    say('Making a throw-away harness home')
    home = real
      ? await createHome({ registry: await usualRegistry(), online: true, version: harnessVersion() })
      : withCodeHost(await localHome(parts, catalogue, outDir), api.url)
    parts.defer(home.dispose)
    const start = await prepareTerminal(home, outDir, api.url)
    terminal = [start, ...(real ? ['search'] : COMMANDS).map((words) => `plugmark ${words}`)]
    more = real ? [] : MORE_COMMANDS.map((words) => `plugmark ${words}`)
  }
  let restarting: Promise<Harness> | null = null
  const restart = home && api.url + RESTART_PATH
  if (restart) api.use(restartHandler(restartHarness))
  say('Packing the store and starting the console')
  const store = await startConsole({
    api: api.url,
    ...(home ?? withoutHarness(outDir)),
    ...(restart ? { settings: { timeLimit: 120, restart } } : {}),
    plugins: { console: { open: false, head: [{ tag: 'script', content: FOLLOW_BROWSER }] } },
  })
  parts.defer(() => store.close())

  if (home && restart) {
    say('Starting the harness with the store in it')
    await addStore(home, (await packDsh({ outDir })).tarball, { api: api.url, restart })
    running = await startHarness(home)
    parts.defer(async () => void (await running?.close()))
  }

  async function restartHarness(): Promise<string> {
    const port = Number(new URL(running!.url).port)
    restarting ??= running!.close().then(() => startHarness(home!, port))
    try {
      running = await restarting
    } finally {
      restarting = null
    }
    return running.address
  }

  const all = parts.move()
  const close = () => all.disposeAsync()
  return {
    api: api.url,
    catalogue,
    pages: pages.url,
    store: store.url,
    get web() {
      return running?.address ?? null
    },
    restart,
    terminal,
    more,
    home,
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Sets the language of the console, which is Chinese by default, to that of the browser. */
const FOLLOW_BROWSER = `localStorage['koishi.console.config'] ??= JSON.stringify({
  locale: navigator.language.startsWith('zh') ? 'zh-CN' : 'en-US',
})`

/** The harness that people run today, where it can be had. */
const harnessVersion = (): HarnessVersion => (missingHarness('0.2.1-rc.2') ? '0.1.0-rc.8' : '0.2.1-rc.2')

/** Settings of the store where there is no harness: it finds none and says so. */
function withoutHarness(directory: string) {
  const { PATH = '', HOME = '' } = process.env
  return { home: join(directory, 'no-harness'), command: ['dsh'], env: { PATH, HOME } }
}

/** A home whose packages come from a registry on this machine, which has the invented plugins. */
async function localHome(parts: AsyncDisposableStack, catalogue: Catalogue, directory: string): Promise<Home> {
  await writePlugins(catalogue, directory)
  const registry = await startRegistry(directory)
  // As a real registry: a review shows the scripts that will run.
  registry.hasScripts = true
  parts.defer(() => registry.close())
  const home = await createHome({ registry: registry.url, gitConfig: registry.gitConfig, version: harnessVersion() })
  // Of profiles that are made later too.
  await writeFile(join(dirname(home.home), '.npmrc'), `registry=${registry.url}/\n`)
  await addByHand(home, OUTDATED.name, GAINING.name)
  registry.publish(await packVersion(OUTDATED.name, { version: OUTDATED.newer }, join(directory, 'packages')))
  registry.publish(await packVersion(GAINING.name, { version: GAINING.newer }, await writeNewer(directory)))
  registry.sign(SIGNED)
  registry.advise(KNOWN_PROBLEM.name, [KNOWN_PROBLEM.advisory])
  return home
}

/** Sends what the store asks the code host, in the harness and in the console, to the demo's directory. */
function withCodeHost(home: Home, directory: string): Home {
  const load = `--require ${JSON.stringify(fileURLToPath(new URL('code-host.cjs', import.meta.url)))}`
  return {
    ...home,
    // Harnesses that are one executable set the options in their command.
    command: home.command.map((word) => (word.startsWith('NODE_OPTIONS=') ? `${word} ${load}` : word)),
    env: { ...home.env, NODE_OPTIONS: load, PLUGMARK_DEMO_DIRECTORY: directory },
  }
}

/** Installs the command line and writes what puts it on PATH. @returns the line to type in a shell */
async function prepareTerminal(home: Home, directory: string, api: string): Promise<string> {
  const [program, bin] = [join(directory, 'program'), join(directory, 'bin')]
  await Promise.all([mkdir(program), mkdir(bin)])
  const root = dirname(home.home)
  // Whoever types reads their own language.
  const { LANG: _, DSH_HOME: _home, ...own } = home.env
  const env = {
    ...own,
    // The defaults below HOME: what the shell of whoever types has set leads elsewhere.
    XDG_CACHE_HOME: join(root, '.cache'),
    XDG_CONFIG_HOME: join(root, '.config'),
    XDG_DATA_HOME: join(root, '.local/share'),
    XDG_STATE_HOME: join(root, '.local/state'),
  }
  await writeLauncher(join(bin, 'dsh'), home.command, env)
  // Without variables of its own: a trial names another home.
  const harness = join(directory, 'harness')
  await writeLauncher(harness, home.command)
  const installed = await installProgram((await packCli({ outDir: directory })).tarball, program)
  await writeLauncher(join(bin, 'plugmark'), [process.execPath, installed], env)
  // In the shell and not in the program, so that a variable before a command counts.
  const settings = { DSH_HOME: home.home, PLUGMARK_API: api, PLUGMARK_HARNESS: harness, PLUGMARK_REGISTRY: '' }
  const exports = Object.entries(settings).map(([name, value]) => `export ${name}=${quoted(value)}\n`)
  const file = join(directory, 'env.sh')
  // A command of the harness needs pnpm.
  const folders = [bin, join(root, 'bin')].map(quoted).join(':')
  await writeFile(file, `export PATH=${folders}:"$PATH"\n${exports.join('')}`)
  return `. ${/[^\w/.-]/.test(file) ? quoted(file) : file}`
}

/** The registry this machine installs from. */
async function usualRegistry(): Promise<string> {
  const { stdout } = await promisify(execFile)('npm', ['config', 'get', 'registry'])
  return stdout.trim().replace(/\/$/, '')
}
