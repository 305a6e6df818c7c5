import { execFile } from 'node:child_process'
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type HarnessVersion, harnessProgram, missingHarness } from './versions.ts'

const installed = fileURLToPath(new URL('./node_modules/', import.meta.url))
const PNPM = { 10: 'pnpm/bin/pnpm.cjs', 11: 'pnpm-11/bin/pnpm.mjs', 12: '@pnpm/exe.linux-x64/pnpm' }

export interface HomeOptions {
  /** Base address of the package registry that installs into this home use, without a trailing slash. */
  readonly registry: string
  /** A file for GIT_CONFIG_GLOBAL, so that `github:` specs reach local repositories. Default: an empty configuration. */
  readonly gitConfig?: string
  /** Default `web`. */
  readonly profile?: string
  /** Default: 0.1.0-rc.8. */
  readonly version?: HarnessVersion
  /** Major version of the package manager. Default: 10. */
  readonly pnpm?: 10 | 11 | 12
  /** Directory to make it in. Default: the temporary directory. */
  readonly parent?: string
  /** Installs may reach other machines. Default: false. */
  readonly online?: boolean
}

/** A throw-away home of the real harness, without access to the person's home, git settings or package store. */
export interface Home {
  /** The directory that DSH_HOME names. */
  readonly home: string
  readonly profile: string
  readonly version: HarnessVersion
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
 * Makes a home under the temporary directory, with a profile as `dsh` itself makes it.
 *
 * @throws when the harness is not here.
 */
export async function createHome(options: HomeOptions): Promise<Home> {
  const { profile = 'web', version = '0.1.0-rc.8', pnpm = 10 } = options
  const missing = missingHarness(version)
  if (missing) throw new Error(missing)
  const root = await mkdtemp(join(options.parent ?? tmpdir(), 'plugmark-home-'))
  const home = join(root, 'dsh')
  const profileDir = join(home, 'profiles', profile)
  const gitConfig = options.gitConfig ?? join(root, 'gitconfig')
  const bin = join(root, 'bin')
  await mkdir(bin)
  await Promise.all([
    symlink(join(installed, PNPM[pnpm]), join(bin, 'pnpm')),
    mkdir(home),
    mkdir(join(root, 'tmp')),
    options.gitConfig ?? writeFile(gitConfig, ''),
  ])
  await skipFirstRun(home, version)

  const { command, env: needed } = harnessProgram(version)
  const env = {
    PATH: [dirname(process.execPath), bin, process.env.PATH].join(delimiter),
    HOME: root,
    TMPDIR: join(root, 'tmp'),
    LANG: 'C.UTF-8',
    DSH_HOME: home,
    DSH_TELEMETRY_DISABLED: '1',
    GIT_CONFIG_GLOBAL: gitConfig,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    ...needed,
    ...(options.online ? wayOut() : {}),
  }
  await placeProfile({ root, home, profile, version, command, env })
  if (pnpm > 10) await appendFile(join(profileDir, 'pnpm-workspace.yaml'), proxies(options))
  await writeFile(join(profileDir, '.npmrc'), npmrc(options))

  return {
    home,
    profile,
    version,
    command,
    env,
    async bundles() {
      const manifest = JSON.parse(await readFile(join(profileDir, 'package.json'), 'utf8'))
      return manifest.dsh?.profile?.bundles ?? []
    },
    setRegistry: (registry) => writeFile(join(profileDir, '.npmrc'), npmrc({ ...options, registry })),
    dispose: () => rm(root, { recursive: true, force: true, maxRetries: 3 }),
  }
}

/** A notice, and on 0.2 an offer to sign in, cover the page of a new home until they are acknowledged. */
async function skipFirstRun(home: string, version: HarnessVersion): Promise<void> {
  if (version.startsWith('0.1.'))
    return writeFile(join(home, 'settings.yaml'), "ui-onboarding:\n  welcomeNoticeVersion: '2026-08-13.1'\n")
  const rows = [
    { id: 'ui-settings-general', config: { welcomeNoticeVersion: '2026-09-28.1' } },
    { id: 'ui-settings-account', config: { version: 1, step: 'done', completion: 'skipped' } },
    // It creates its first workspace in the person's documents folder, and asks the desktop for that.
    { id: 'workspace-controller', config: { documentsDirectory: join(home, 'documents') } },
  ]
  // JSON is YAML.
  await writeFile(join(home, 'cordis.patch.yml'), JSON.stringify(rows))
}

type Files = ReadonlyMap<string, Buffer>
const profiles = new Map<string, Promise<Files>>()

/**
 * Puts the files of a new profile into a home. `dsh plugin --profile <name> list` is the cheapest command that makes
 * one, and takes 0.4 s: it is run once in this process, and what it made is copied from then on.
 */
async function placeProfile(
  place: Pick<Home, 'home' | 'profile' | 'version' | 'command' | 'env'> & { root: string },
): Promise<void> {
  const { root, home, profile, version, command, env } = place
  const directory = join(home, 'profiles', profile)
  const key = `${version} ${profile}`
  const known = profiles.get(key)
  if (known === undefined) {
    const [program = '', ...leading] = command
    const args = [...leading, 'plugin', '--profile', profile, 'list']
    const listed = promisify(execFile)(program, args, { cwd: root, env })
    profiles.set(
      key,
      listed.then(() => filesOf(directory)),
    )
    await profiles.get(key)
    return
  }
  await mkdir(directory, { recursive: true })
  for (const [name, bytes] of await known) await writeFile(join(directory, name), bytes)
}

async function filesOf(directory: string): Promise<Files> {
  const files = (await readdir(directory, { withFileTypes: true })).filter((entry) => entry.isFile())
  const read = async (name: string) => [name, await readFile(join(directory, name))] as const
  return new Map(await Promise.all(files.map(({ name }) => read(name))))
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
