import { homedir } from 'node:os'
import { HARNESS_DEFAULTS } from '@plugmark/shared/contract'
import { isProfileName, isProgramName } from '@plugmark/shared/install'
import { type ConfiguredOptions, OPTIONS } from '../config/index.ts'
import type { Restart } from '../protocol/index.ts'
import type { OnProblem } from '../protocol/problems.ts'
import type { RunningHarness } from './harness/harness.ts'
import type { JobSettings } from './job/context.ts'
import type { Redactions } from './job/redact.ts'
import { resolveHome } from './profile/home.ts'
import { findBrowser } from './trial/browser.ts'

/** Finds what fails within two seconds; longer would make every install longer. */
const SETTLE_MS = 2000

/** Program and leading arguments, and what they need in their environment. */
export interface HarnessCommand {
  readonly command: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** What a person configures, and what a shell knows. Each may be left out. */
export interface HostOptions extends ConfiguredOptions {
  /** How the harness seems to be started, where `command` is not set. Its version is checked before a job uses it. */
  readonly guess?: HarnessCommand
  /** @default 'DSH_HOME' */
  readonly homeVariable?: string
  /** Directory for the cached catalogue. @default null: both are kept in memory only */
  readonly stateDir?: string | null
  /** Called with errors of background work, for a log. */
  readonly onProblem?: OnProblem
  /** Package that the store itself is, where it is installed into profiles. @default none */
  readonly ownPackage?: string
  /** The harness that the store runs in. @default none */
  readonly running?: RunningHarness | null
  /** Command that the harness was started with in a terminal; stands for `restart`, after Ctrl+C. @default none */
  readonly startedAs?: string
  /** `NODE_OPTIONS` of the harness, where the store runs in it. Another program's are not the harness's. @default none */
  readonly nodeOptions?: string
  /** Whether a page of the store is open, which shows the harness of a trial in a frame. @default none ever is */
  readonly hasPage?: () => boolean
  /** How long the harness of a trial must stay as it is once it is up, in ms. @default 2000 */
  readonly settleMs?: number
  /** Program of a browser that tries the web page where no page of the store is open; null for none. @default any found */
  readonly browser?: string | null
  /** The layer that makes a profile serve a web page. @default '@deepseek-ai/dsh-web-app' */
  readonly webLayer?: string
  /** @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Address of the code host's raw files. @default that of the code host itself */
  readonly rawUrl?: string
  /** @default globalThis.fetch */
  readonly fetch?: typeof fetch
  /** @default Date.now */
  readonly now?: () => number
}

/** What every shell tells its host; null or a constant says that it has none. */
export type ShellOptions = HostOptions & Required<Pick<HostOptions, 'stateDir' | 'onProblem' | 'hasPage'>>

export interface Settings extends JobSettings {
  readonly cli: string
  readonly profile: string
  readonly restart: Restart | null
}

/** @throws Error with a sentence for a person when an option has no sense */
export function readSettings(options: HostOptions): Settings {
  const env = options.env ?? process.env
  const cli = options.cli ?? OPTIONS.cli.default
  const profile = options.profile ?? OPTIONS.profile.default
  const homeVariable = options.homeVariable ?? HARNESS_DEFAULTS.homeVariable
  const command = options.command ?? options.guess?.command ?? [cli]
  if (!isProgramName(cli)) throw new Error(`"${cli}" cannot be the name of the harness's program.`)
  if (!isProfileName(profile)) throw new Error(`"${profile}" cannot be the name of a profile.`)
  if (!command[0]) throw new Error('The harness command is empty.')
  const home = resolveHome({ configured: options.home, fromEnvironment: env[homeVariable], cli })
  const inherited = jobEnvironment(env, { home, homeVariable })
  const { hasPage = () => false, webLayer = HARNESS_DEFAULTS.webLayer } = options
  const startLimitMs = limit(options.startLimitMs ?? OPTIONS.startLimit.default * 1000)
  return {
    cli,
    profile,
    restart: readRestart(options),
    command,
    isCommandGuessed: options.command === undefined,
    home,
    homeVariable,
    env: {
      ...inherited,
      ...(options.command ? {} : options.guess?.env),
      ...(options.nodeOptions ? { NODE_OPTIONS: options.nodeOptions } : {}),
      ...registryVariables(webAddress(options.registry, 'package registry')),
      ...proxyVariables(webAddress(options.proxy, 'proxy')),
    },
    timeLimitMs: limit(options.timeLimitMs ?? OPTIONS.timeLimit.default * 1000),
    ownNetwork: options.registry !== undefined || options.proxy !== undefined,
    running: options.running ?? null,
    trial: {
      isOn: options.trial !== false,
      startLimitMs,
      settleMs: options.settleMs ?? SETTLE_MS,
      webLayer,
      hasPage,
      findBrowser: async () => (options.browser === undefined ? findBrowser(inherited) : options.browser),
    },
    redactions: redactions(home, homeVariable, [env.HOME, env.USERPROFILE, homedir()]),
    now: options.now ?? Date.now,
  }
}

function readRestart({ restart, startedAs }: HostOptions): Restart | null {
  if (restart === undefined) return startedAs === undefined ? null : { by: 'terminal', text: startedAs }
  if (!/^https?:/i.test(restart)) return { by: 'command', text: restart }
  if (!URL.canParse(restart)) throw new Error(`"${restart}" cannot be the address of a page that restarts the harness.`)
  return { by: 'page', text: restart }
}

function limit(ms: number): number {
  // setTimeout overflows above this, and fires at once.
  if (ms > 0 && ms <= 0x7fff_ffff) return ms
  throw new Error('A time limit must be more than 0 and less than 24 days.')
}

function webAddress(text: string | undefined, what: string): string | null {
  if (text === undefined) return null
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol) && url.hash === '' && url.search === '') return url.href
  throw new Error(`"${text}" cannot be the address of a ${what}: it must begin with http:// or https://.`)
}

/** pnpm 10 reads the first, pnpm 11 the second; both before an .npmrc. */
const registryVariables = (registry: string | null): Record<string, string> =>
  registry === null ? {} : { npm_config_registry: registry, pnpm_config_registry: registry }

/** curl, and so git, knows http_proxy in lower case only. */
const proxyVariables = (proxy: string | null): Record<string, string> =>
  proxy === null ? {} : { http_proxy: proxy, https_proxy: proxy, HTTP_PROXY: proxy, HTTPS_PROXY: proxy }

/** The harness home first: it usually lies in the person's own. */
function redactions(home: string, variable: string, own: readonly (string | undefined)[]): Redactions {
  const owned = [...new Set(own)].filter((path): path is string => path !== undefined && path.length > 1)
  return [[home, `$${variable}`], ...owned.map((path): [string, string] => [path, '~'])]
}

/**
 * Environment variables that jobs inherit. A plugin's install script sees them, so they are what a package manager needs
 * here, and no key or token that happens to be set.
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
  ].flat(),
)

/** Nobody can answer a prompt, terminal codes would only be stripped, and output is classified by its English text. */
const FIXED = { CI: 'true', NO_COLOR: '1', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C.UTF-8' }

/**
 * @param from this process's environment
 * @param home the harness home, put into `homeVariable`
 */
export function jobEnvironment(
  from: Readonly<Record<string, string | undefined>>,
  { home, homeVariable }: { readonly home: string; readonly homeVariable: string },
): Record<string, string> {
  const inherited: Record<string, string> = {}
  for (const [name, value] of Object.entries(from)) {
    // Proxies are commonly written in lower case, and Windows writes Path.
    if (value !== undefined && INHERITED.has(name.toUpperCase())) inherited[name] = value
  }
  return { ...inherited, ...FIXED, [homeVariable]: home }
}
