import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, rmdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { hashTree } from '@plugmark/harness-plugin/host/testing'
import { madeOnce } from '../once.ts'
import { startRegistry } from '../registry/registry.ts'
import { findChromium } from '../setup/chromium.mjs'
import { type HarnessVersion, harnessProgram, missingHarness } from './versions.ts'

const installed = fileURLToPath(new URL('./node_modules/', import.meta.url))
const PNPM = { 10: 'pnpm/bin/pnpm.cjs', 11: 'pnpm-11/bin/pnpm.mjs', 12: '@pnpm/exe.linux-x64/pnpm' }

/** Major versions of the package manager. */
export type Pnpm = keyof typeof PNPM

/** Returns the program and the leading arguments that start the package manager. */
export const pnpmCommand = (pnpm: Pnpm): readonly [string, ...string[]] => {
  const path = join(installed, PNPM[pnpm])
  return pnpm === 12 ? [path] : [process.execPath, path]
}

export interface HomeOptions {
  /** Base address of the package registry that installs into this home use, without a trailing slash. */
  readonly registry: string
  /** A file for GIT_CONFIG_GLOBAL, so that `github:` specs reach local repositories. Default: an empty configuration. */
  readonly gitConfig?: string
  /** Default `web`. */
  readonly profile?: string
  /** Default: 0.1.0-rc.8. */
  readonly version?: HarnessVersion
  /** Major version of the package manager. Default: the newest that the harness supports. */
  readonly pnpm?: Pnpm
  /** Folder to create it in. Default: the folder of the run, or the temporary folder. */
  readonly parent?: string
  /** Installs may reach other machines. Default: false. */
  readonly online?: boolean
}

/** A throw-away home of the real harness, without access to the user's home, git settings or package store. */
export interface Home {
  /** The directory that DSH_HOME names. */
  readonly home: string
  readonly profile: string
  readonly version: HarnessVersion
  readonly pnpm: Pnpm
  /** Program and leading arguments that start the real `dsh`, for `spawn` without a shell. */
  readonly command: readonly string[]
  /** The whole environment to start it with: Node 24 and pnpm come first on PATH. */
  readonly env: Readonly<Record<string, string>>
  /** Reads `dsh.profile.bundles`: the layers that the harness boots, its own two first. */
  bundles(): Promise<string[]>
  /** Another package registry from here on. */
  setRegistry(url: string): Promise<void>
  /** Removes everything. */
  dispose(): Promise<void>
}

/**
 * Creates a home with a profile as `dsh` itself makes it. In a run of Playwright it is a copy of one that is made once.
 *
 * @throws when the harness is not installed
 */
export async function createHome(options: HomeOptions): Promise<Home> {
  const missing = missingHarness(options.version ?? '0.1.0-rc.8')
  if (missing) throw new Error(missing)
  const { PLUGMARK_RUN: run } = process.env
  const root = await mkdtemp(join(options.parent ?? run ?? tmpdir(), 'home-'))
  const home = homeAt(root, options)
  if (run === undefined || options.online) await makeHome(root, options)
  else await copyPrepared(await preparedHome(home, []), root, ['.'], options.registry)
  if (options.gitConfig === undefined) await writeFile(join(root, 'gitconfig'), '')
  return home
}

/** Describes the home in a folder. */
function homeAt(root: string, options: HomeOptions): Home {
  const { profile = 'web', version = '0.1.0-rc.8', pnpm = newestPnpm(version) } = options
  const home = join(root, 'dsh')
  const profileDir = join(home, 'profiles', profile)
  const { command, env: needed } = harnessProgram(version)
  return {
    home,
    profile,
    version,
    pnpm,
    command,
    env: {
      PATH: [dirname(process.execPath), join(root, 'bin'), process.env.PATH].join(delimiter),
      HOME: root,
      TMPDIR: join(root, 'tmp'),
      LANG: 'C.UTF-8',
      DSH_HOME: home,
      DSH_TELEMETRY_DISABLED: '1',
      GIT_CONFIG_GLOBAL: options.gitConfig ?? join(root, 'gitconfig'),
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      ...needed,
      ...(options.online ? wayOut() : {}),
    },
    async bundles() {
      const manifest = JSON.parse(await readFile(join(profileDir, 'package.json'), 'utf8'))
      return manifest.dsh?.profile?.bundles ?? []
    },
    setRegistry: (registry) => writeFile(join(profileDir, '.npmrc'), npmrc({ ...options, pnpm, registry })),
    dispose: () => rm(root, { recursive: true, force: true, maxRetries: 3 }),
  }
}

/** Makes a home with the harness, in an empty folder. */
async function makeHome(root: string, options: HomeOptions): Promise<Home> {
  const made = homeAt(root, options)
  const { home, profile, pnpm, version } = made
  await Promise.all(['bin', 'dsh', 'tmp'].map((folder) => mkdir(join(root, folder))))
  await symlink(join(installed, PNPM[pnpm]), join(root, 'bin', 'pnpm'))
  // A trial of the store looks on PATH, where Playwright's own browser is not.
  const browser = findChromium()
  if (browser !== null && !process.env.PATH?.split(delimiter).includes(dirname(browser)))
    await symlink(browser, join(root, 'bin', 'chromium'))
  await skipFirstRun(home, version)
  // The cheapest command that makes a profile.
  await dsh(made, 'plugin', '--profile', profile, 'list')
  const profileDir = join(home, 'profiles', profile)
  if (pnpm > 10) await appendFile(join(profileDir, 'pnpm-workspace.yaml'), proxies(options))
  await made.setRegistry(options.registry)
  return made
}

/** Names the files that `dsh plugin add` writes, by their place in a home's folder. */
const filesOfPlugins = (profile: string) => [
  '.local',
  ...['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', 'node_modules'].map((name) =>
    join('dsh/profiles', profile, name),
  ),
]

/**
 * Adds plugins to the new profile of a home with `dsh plugin add`: once for a run of Playwright, and copies of the result.
 *
 * @returns false where that is not possible, as the profile has packages or the plugins are only here
 */
async function addPrepared(home: Home, specs: readonly string[]): Promise<boolean> {
  const profileDir = join(home.home, 'profiles', home.profile)
  // Of the registry that every run starts, or packed once for the run.
  const isOfRun = (spec: string) =>
    /^(github:lanternworks\/)?dsh-plugin-/.test(spec) || spec.startsWith(`${process.env.PLUGMARK_RUN}/packed-`)
  if (process.env.PLUGMARK_RUN === undefined || !specs.every(isOfRun) || existsSync(join(profileDir, 'node_modules')))
    return false
  const prepared = await preparedHome(home, specs)
  const registry = registryIn(await readFile(join(profileDir, '.npmrc'), 'utf8'))
  await copyPrepared(prepared, dirname(home.home), filesOfPlugins(home.profile), registry)
  return true
}

/** Makes a home once for a run. @returns its folder */
function preparedHome({ version, pnpm, profile }: Home, specs: readonly string[]): Promise<string> {
  const plugins = specs.map((spec) => spec.replaceAll(/\W+/g, '-'))
  return madeOnce(['prepared', version, `pnpm${pnpm}`, profile, ...plugins].join('-'), async (root) => {
    // Its own, because tests release newer versions into theirs.
    const registry = specs.length > 0 ? await startRegistry() : null
    const { url = 'http://127.0.0.1:9', gitConfig = join(root, 'gitconfig') } = registry ?? {}
    const made = await makeHome(root, { registry: url, gitConfig, version, pnpm, profile })
    for (const spec of specs) await dsh(made, 'plugin', '--profile', profile, 'add', spec)
    await registry?.close()
  })
}

const registryIn = (npmrc: string): string => /^registry=(.*)\/$/m.exec(npmrc)?.[1] ?? ''

/** Files of a home that name its folder or its registry. */
const filesWithPaths = (profileDir: string) =>
  ['.npmrc', 'pnpm-workspace.yaml', 'node_modules/.modules.yaml', 'node_modules/.pnpm-workspace-state-v1.json']
    .map((name) => join(profileDir, name))
    .concat(join(profileDir, '../../cordis.patch.yml'))

/** Copies files of a prepared home, with the links between them, to where another registry answers. */
async function copyPrepared(from: string, to: string, files: readonly string[], registry: string): Promise<void> {
  const there = files.filter((name) => existsSync(join(from, name)))
  await promisify(execFile)('cp', ['-a', '--reflink=auto', '--parents', ...there, to], { cwd: from })
  for (const profile of await readdir(join(to, 'dsh/profiles'))) {
    const old = registryIn(await readFile(join(from, 'dsh/profiles', profile, '.npmrc'), 'utf8'))
    for (const file of filesWithPaths(join(to, 'dsh/profiles', profile))) {
      const text = await readFile(file, 'utf8').catch(() => null)
      if (text !== null) await writeFile(file, text.replaceAll(from, to).replaceAll(old, registry))
    }
  }
}

const newestPnpm = (version: HarnessVersion) => (version.startsWith('0.2.') ? 12 : 10)

/** A notice, and on 0.2 an offer to sign in, cover the page of a new home until they are acknowledged. */
async function skipFirstRun(home: string, version: HarnessVersion): Promise<void> {
  if (version.startsWith('0.1.'))
    return writeFile(join(home, 'settings.yaml'), "ui-onboarding:\n  welcomeNoticeVersion: '2026-08-13.1'\n")
  const rows = [
    { id: 'ui-settings-general', config: { welcomeNoticeVersion: '2026-09-28.1' } },
    { id: 'ui-settings-account', config: { version: 1, step: 'done', completion: 'skipped' } },
    // It creates its first workspace in the user's documents folder, and asks the desktop for that.
    { id: 'workspace-controller', config: { documentsDirectory: join(home, 'documents') } },
  ]
  // JSON is YAML.
  await writeFile(join(home, 'cordis.patch.yml'), JSON.stringify(rows))
}

/**
 * Before it asks git for a `github:` spec, pnpm asks the code host over HTTPS whether the repository is public. Unless
 * the home is online, the registry is named as the proxy for that, and refuses: nothing leaves the machine, and the
 * answer is the same on every machine.
 */
function npmrc({ registry, online, pnpm = 10 }: HomeOptions): string {
  const offline = online || pnpm > 10 ? [] : [`https-proxy=${registry}`, 'noproxy=127.0.0.1']
  return [`registry=${registry}/`, 'update-notifier=false', ...offline, ''].join('\n')
}

/** pnpm 11 and 12 read none of this from an .npmrc. */
const proxies = ({ registry, online }: HomeOptions): string =>
  online ? '' : `\nhttpsProxy: ${registry}\nnoProxy: 127.0.0.1\n`

/** Returns the environment by which this machine reaches others: proxies and trusted certificates. */
function wayOut(): Record<string, string> {
  const names = /^((https?|no)_proxy|node_extra_ca_certs|ssl_cert_(file|dir)|git_ssl_cainfo)$/i
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value && names.test(name) ? [[name, value]] : [])),
  )
}

/** Runs `dsh <args>`. @returns its output */
export async function dsh({ home, command, env }: Home, ...args: string[]): Promise<string> {
  const [program = '', ...leading] = command
  return (await promisify(execFile)(program, [...leading, ...args], { cwd: home, env })).stdout
}

/** The store's package, and the row that its patch puts into a tree. */
export const STORE = 'dsh-plugin-plugmark'

/** Adds the store to a home's profile with `dsh plugin add`, and configures it in the profile's patch. */
export async function addStore(
  home: Home,
  tarball: string,
  config: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await addByHand(home, tarball)
  // JSON is YAML.
  const patch = JSON.stringify([{ id: STORE, config }])
  await writeFile(join(home.home, 'profiles', home.profile, 'cordis.patch.yml'), patch)
}

/** Adds plugins with `dsh plugin add`, so without the store and its trial. */
export async function addByHand(home: Home, ...specs: readonly string[]): Promise<void> {
  if (await addPrepared(home, specs)) return
  for (const spec of specs) await dsh(home, 'plugin', '--profile', home.profile, 'add', spec)
}

/** Removes a plugin with `dsh plugin remove`. */
export async function removeByHand(home: Home, name: string): Promise<void> {
  await dsh(home, 'plugin', '--profile', home.profile, 'remove', name)
}

/**
 * Works on a home's profile, as another program does that has a store: jobs wait for it.
 *
 * @returns ends that
 */
export async function occupy({ home, profile }: Home): Promise<() => Promise<void>> {
  const lock = join(home, 'profiles', profile, '.plugmark', 'lock')
  await mkdir(dirname(lock), { recursive: true })
  await writeFile(lock, JSON.stringify({ id: 'another', host: 'another', pid: 1, start: null }))
  // A lock of another machine holds while it is heard of, which is every 10 s.
  const beat = setInterval(() => void utimes(lock, new Date(), new Date()).catch(() => {}), 10_000)
  return async () => {
    clearInterval(beat)
    await rm(lock)
    // A job may wait in it.
    await rmdir(dirname(lock)).catch(() => {})
  }
}

/**
 * Files that a harness writes by itself, its root at each start, a log and a lock for each run of the package manager;
 * and the store's data about the last change.
 */
const IGNORED = ['cordis.yml', '.plugin-manager', 'package.json.lock', '.plugmark']

/**
 * Returns one hash of the names, kinds, modes and contents of everything else in the profile, including node_modules.
 */
export const profileHash = (home: Home): Promise<string> => hashTree(join(home.home, 'profiles', home.profile), IGNORED)
