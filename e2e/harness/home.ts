import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const installed = fileURLToPath(new URL('./node_modules/', import.meta.url))
const dsh = join(installed, '@deepseek-ai/dsh/lib/bin.js')

/** The notice of the first run covers the whole UI until it is acknowledged; this is the version the harness asks about. */
const settings = `ui-onboarding:
  welcomeNoticeVersion: '2026-08-13.1'
`

export interface HomeOptions {
  /** Base address of the package registry that installs into this home use, without a trailing slash. */
  readonly registry: string
  /** A file for GIT_CONFIG_GLOBAL, so that `github:` specs reach local repositories. Default: an empty configuration. */
  readonly gitConfig?: string
  /** Default `web`. */
  readonly profile?: string
  /** Major version of the package manager. Default: 10. */
  readonly pnpm?: 10 | 11
  /** Directory to make it in. Default: the temporary directory. */
  readonly parent?: string
  /** Whether installs may leave this machine. Default: they may not. */
  readonly online?: boolean
}

/** A throw-away home of the real harness. Nothing in it knows the person's own home, git settings or package store. */
export interface Home {
  /** The directory that DSH_HOME names. */
  readonly home: string
  readonly profile: string
  /** Program and leading arguments that start the real `dsh`, for `spawn` without a shell. */
  readonly command: readonly string[]
  /** The whole environment to start it with: Node 24 and pnpm come first on PATH. */
  readonly env: Readonly<Record<string, string>>
  /** `dsh.profile.bundles` of the profile as it is now: the layers the harness would boot, its own two first. */
  bundles(): Promise<string[]>
  /** Another package registry from here on. */
  setRegistry(url: string): Promise<void>
  /** Removes everything. */
  dispose(): Promise<void>
}

/**
 * Makes a home under the temporary directory, with a profile as `dsh` itself makes it.
 *
 * @throws when e2e/harness is not installed.
 */
export async function createHome(options: HomeOptions): Promise<Home> {
  if (!existsSync(dsh))
    throw new Error('The harness is not installed. Run `npm ci` in e2e/harness, or `npm run test:e2e`.')
  const profile = options.profile ?? 'web'
  const root = await mkdtemp(join(options.parent ?? tmpdir(), 'plugmark-home-'))
  const home = join(root, 'dsh')
  const profileDir = join(home, 'profiles', profile)
  const gitConfig = options.gitConfig ?? join(root, 'gitconfig')
  const bin = join(root, 'bin')
  const pnpm = options.pnpm === 11 ? 'pnpm-11/bin/pnpm.mjs' : 'pnpm/bin/pnpm.cjs'
  await mkdir(bin)
  await Promise.all([
    symlink(join(installed, pnpm), join(bin, 'pnpm')),
    mkdir(home),
    mkdir(join(root, 'tmp')),
    options.gitConfig ?? writeFile(gitConfig, ''),
  ])
  await writeFile(join(home, 'settings.yaml'), settings)

  const command = [process.execPath, dsh]
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
    ...(options.online ? wayOut() : {}),
  }
  await placeProfile({ root, home, profile, env })
  if (options.pnpm === 11) await appendFile(join(profileDir, 'pnpm-workspace.yaml'), proxies(options))
  await writeFile(join(profileDir, '.npmrc'), npmrc(options))

  return {
    home,
    profile,
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

type Files = ReadonlyMap<string, Buffer>
const profiles = new Map<string, Promise<Files>>()

/**
 * Puts the files of a new profile into a home. `dsh plugin --profile <name> list` is the cheapest command that makes
 * one, and takes 0.4 s: it is run once in this process, and what it made is copied from then on.
 */
async function placeProfile(place: { root: string; home: string; profile: string; env: Home['env'] }): Promise<void> {
  const { root, home, profile, env } = place
  const directory = join(home, 'profiles', profile)
  const known = profiles.get(profile)
  if (known === undefined) {
    const run = promisify(execFile)
    const listed = run(process.execPath, [dsh, 'plugin', '--profile', profile, 'list'], { cwd: root, env })
    profiles.set(
      profile,
      listed.then(() => filesOf(directory)),
    )
    await profiles.get(profile)
    return
  }
  await mkdir(directory, { recursive: true })
  for (const [name, bytes] of await known) await writeFile(join(directory, name), bytes)
}

const filesOf = async (directory: string): Promise<Files> =>
  new Map(
    await Promise.all(
      (await readdir(directory)).map(async (name) => [name, await readFile(join(directory, name))] as const),
    ),
  )

/**
 * Before it asks git for a `github:` spec, pnpm asks the code host over HTTPS whether the repository is public. Unless
 * the home is online, the registry is named as the proxy for that, and refuses: nothing leaves the machine, and the
 * answer is the same on every machine.
 */
function npmrc({ registry, online, pnpm }: HomeOptions): string {
  const offline = online || pnpm === 11 ? [] : [`https-proxy=${registry}`, 'noproxy=127.0.0.1']
  return [`registry=${registry}/`, 'update-notifier=false', ...offline, ''].join('\n')
}

/** pnpm 11 reads none of this from an .npmrc. */
const proxies = ({ registry, online }: HomeOptions): string =>
  online ? '' : `\nhttpsProxy: ${registry}\nnoProxy: 127.0.0.1\n`

/** How this machine reaches other hosts: its proxies and the certificates it trusts. */
function wayOut(): Record<string, string> {
  const names = /^((https?|no)_proxy|node_extra_ca_certs|ssl_cert_(file|dir)|git_ssl_cainfo)$/i
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value && names.test(name) ? [[name, value]] : [])),
  )
}
