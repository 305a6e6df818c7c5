import { homedir } from 'node:os'
import { hidePasswords } from '@plugmark/shared/contract'
import { isProfileName, isProgramName } from '@plugmark/shared/install'
import { type ConfiguredOptions, OPTIONS } from '../config.ts'
import type { Restart } from '../protocol/index.ts'
import type { OnProblem } from '../protocol/problems.ts'
import type { JobSettings } from './harness/job.ts'
import type { Redactions } from './harness/output.ts'
import type { RunningHarness } from './harness/running-harness.ts'
import { HOME_VARIABLE, resolveHome } from './profile/harness-home.ts'
import { findBrowser } from './trial/boot.ts'

/** Time that a tree must be stable, in ms. Finds failures within two seconds; more would slow down every install. */
const SETTLE_MS = 2000

/** Program and leading arguments, and the environment variables that they need. */
export interface HarnessCommand {
  readonly command: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** The stored configuration of a shell. */
export interface ConfigurationFile {
  /** Path, for the user. */
  readonly path: string
  /** @throws when the file cannot be read or has another form */
  read(): Promise<Readonly<Record<string, unknown>>>
  /**
   * Replaces the configuration; keeps everything else in the file.
   *
   * @returns false when a job of any process is changing the profile
   * @throws like `read`
   */
  write(configuration: Readonly<Record<string, unknown>>): Promise<boolean>
}

/** Settings of the user and facts of a shell. All are optional. */
export interface HostOptions extends ConfiguredOptions {
  /** Place where the shell's configuration is stored; null for a shell with a form of its own. @default null */
  readonly configuration?: ConfigurationFile | null
  /** Likely command of the harness if `command` is not set. Its version is checked before a job uses it. */
  readonly guess?: HarnessCommand
  /** Name of the shell, such as `cli`, for the history of profiles. @default '' */
  readonly client?: string
  /** Folder of what the shell stores for all profiles. @default null: that is kept in memory only */
  readonly stateDir?: string | null
  /** Called with errors of background work, for a log. */
  readonly onProblem?: OnProblem
  /** Package of the store itself if it is installed into profiles. @default none */
  readonly ownPackage?: string
  /** The harness that the store runs in. @default none */
  readonly running?: RunningHarness | null
  /** Command that started the harness in a terminal; replaces `restart`, after Ctrl+C. @default none */
  readonly startedAs?: string
  /** `NODE_OPTIONS` of the harness if the store runs in it; those of another program do not apply. @default none */
  readonly nodeOptions?: string
  /**
   * Returns true if a page of the store is open, which shows the harness of a trial in a frame. @default () => false
   */
  readonly hasPage?: () => boolean
  /** @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** Replaces the world around a host in tests. */
export interface Replacements {
  /** Time that the harness of a trial must run without changes, in ms. @default 2000 */
  readonly settleMs?: number
  /**
   * Program of a browser that tries the web page when no page of the store is open; null for none. @default any found
   */
  readonly browser?: string | null
  /** Address of the code host's raw files. @default that of the code host itself */
  readonly rawUrl?: string
  /** Address of the code host's API. @default that of the code host itself */
  readonly apiUrl?: string
  /** @default globalThis.fetch */
  readonly fetch?: typeof fetch
  /** @default Date.now */
  readonly now?: () => number
}

/** Options that every shell must set; null or a constant for a shell without that feature. */
export type ShellOptions = HostOptions & Required<Pick<HostOptions, 'client' | 'stateDir' | 'onProblem' | 'hasPage'>>

export interface Settings extends JobSettings {
  readonly cli: string
  readonly profile: string
  readonly restart: Restart | null
}

/** Reads the settings of a host. @throws Error with a sentence for the user when an option is invalid */
export function readSettings(options: HostOptions, replaced: Replacements = {}): Settings {
  const env = options.env ?? process.env
  const cli = options.cli ?? OPTIONS.cli.default
  const profile = options.profile ?? OPTIONS.profile.default
  const command = options.command ?? options.guess?.command ?? [cli]
  if (!isProgramName(cli)) throw new Error(`"${cli}" cannot be the name of the harness's program.`)
  if (!isProfileName(profile)) throw new Error(`"${profile}" cannot be the name of a profile.`)
  if (!command[0]) throw new Error('The harness command is empty.')
  const home = resolveHome({ configured: options.home, fromEnvironment: env[HOME_VARIABLE], cli })
  const inherited = jobEnvironment(env, home)
  const startLimitMs = limit(options.startLimitMs ?? OPTIONS.startLimit.default * 1000)
  return {
    cli,
    profile,
    restart: readRestart(options),
    command,
    isCommandGuessed: options.command === undefined,
    home,
    env: {
      ...inherited,
      ...(options.command ? {} : options.guess?.env),
      ...(options.nodeOptions ? { NODE_OPTIONS: options.nodeOptions } : {}),
      ...registryVariables(webAddress(options.registry, 'package registry')),
      ...proxyVariables(webAddress(options.proxy, 'proxy')),
    },
    timeLimitMs: limit(options.timeLimitMs ?? OPTIONS.timeLimit.default * 1000),
    ownNetwork: options.registry !== undefined || options.proxy !== undefined,
    ownPackage: options.ownPackage ?? null,
    running: options.running ?? null,
    trial: {
      isOn: options.trial !== false,
      startLimitMs,
      settleMs: replaced.settleMs ?? SETTLE_MS,
      hasPage: options.hasPage ?? (() => false),
      findBrowser: async () => (replaced.browser === undefined ? findBrowser(inherited) : replaced.browser),
    },
    redactions: redactions(home, [env.HOME, env.USERPROFILE, homedir()]),
    stateDir: options.stateDir ?? null,
    client: options.client ?? '',
    now: replaced.now ?? Date.now,
  }
}

function readRestart({ restart, startedAs }: HostOptions): Restart | null {
  if (restart === undefined) return startedAs === undefined ? null : { by: 'terminal', text: startedAs }
  if (!/^https?:/i.test(restart)) return { by: 'command', text: restart }
  if (!URL.canParse(restart)) throw new Error(`"${restart}" cannot be the address of a page that restarts the harness.`)
  return { by: 'page', text: restart }
}

function limit(ms: number): number {
  // setTimeout overflows above this limit and fires at once.
  if (ms > 0 && ms <= 0x7fff_ffff) return ms
  throw new Error('A time limit must be more than 0 and less than 24 days.')
}

function webAddress(text: string | undefined, what: string): string | null {
  if (text === undefined) return null
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol) && url.hash === '' && url.search === '') return url.href
  throw new Error(
    `"${hidePasswords(text)}" cannot be the address of a ${what}: it must begin with http:// or https://.`,
  )
}

/** Returns variables for a registry: pnpm 10 reads the first, pnpm 11 the second, and both prefer it to an .npmrc. */
const registryVariables = (registry: string | null): Record<string, string> =>
  registry === null ? {} : { npm_config_registry: registry, pnpm_config_registry: registry }

/** Returns variables for a proxy. curl, and therefore git, reads http_proxy only in lower case. */
export const proxyVariables = (proxy: string | null | undefined): Record<string, string> =>
  proxy == null ? {} : { http_proxy: proxy, https_proxy: proxy, HTTP_PROXY: proxy, HTTPS_PROXY: proxy }

/** Returns the redactions of paths. The harness home comes first, as it is usually inside the user's home. */
function redactions(home: string, own: readonly (string | undefined)[]): Redactions {
  const owned = [...new Set(own)].filter((path): path is string => path !== undefined && path.length > 1)
  const shown = [[home, `$${HOME_VARIABLE}`] as const, ...owned.map((path) => [path, '~'] as const)]
  return shown.flatMap(([path, instead]) => spellings(path).map((spelling) => [spelling, instead] as const))
}

/** Returns a path as programs print it: on Windows also with slashes, and in JSON with each backslash twice. */
export const spellings = (path: string): string[] => [
  ...new Set([path, path.replaceAll('\\', '\\\\'), path.replaceAll('\\', '/')]),
]

/**
 * Environment variables that jobs inherit. A plugin's install script can read them, so the list has only variables that
 * a package manager needs, and no keys or tokens.
 */
const INHERITED = new Set(
  [
    ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TZ', 'TMPDIR'],
    ['XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'PNPM_HOME'],
    ['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_NOSYSTEM', 'GIT_SSL_CAINFO'],
    ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
    ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'],
    // Windows
    ['SYSTEMROOT', 'WINDIR', 'COMSPEC', 'PATHEXT', 'TEMP', 'TMP', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA'],
    // Where node-gyp looks for a compiler, and git for the settings of the machine.
    ['SYSTEMDRIVE', 'PROGRAMFILES', 'PROGRAMFILES(X86)', 'PROGRAMDATA', 'PROCESSOR_ARCHITECTURE'],
  ].flat(),
)

/** Fixed variables: nobody can answer a prompt, terminal codes are stripped, and output is classified in English. */
const FIXED = { CI: 'true', NO_COLOR: '1', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C.UTF-8' }

/**
 * Returns the environment of jobs.
 *
 * @param from this process's environment
 * @param home the harness home
 */
export function jobEnvironment(
  from: Readonly<Record<string, string | undefined>>,
  home: string,
): Record<string, string> {
  const inherited: Record<string, string> = {}
  for (const [name, value] of Object.entries(from)) {
    // Proxies are commonly written in lower case, and Windows writes Path.
    if (value !== undefined && INHERITED.has(name.toUpperCase())) inherited[name] = value
  }
  return { ...inherited, ...FIXED, [HOME_VARIABLE]: home }
}
