import { readFileSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { validateBaseUrl } from '@plugmark/shared/client/core'
import { BASE_URL } from '@plugmark/shared/contract'
import { type Locale, resolveLocale } from '@plugmark/shared/i18n/locale'
import { isProfileName } from '@plugmark/shared/install'
import type { HostOptions } from '../host/index.ts'
import { Failure } from './failure.ts'
import { withoutLogin } from './writer.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Options that every command takes, as they were typed. */
export interface GlobalOptions {
  readonly directory?: string | undefined
  readonly harness?: string | undefined
  readonly home?: string | undefined
}

/** Package of the store in the harness. */
export const OWN_PACKAGE = 'dsh-plugin-plugmark'

/** Settings that `plugmark config` stores. */
export const SETTINGS = ['directory', 'harness', 'home', 'profile', 'registry', 'proxy'] as const
export type StoredSettings = Readonly<Partial<Record<(typeof SETTINGS)[number], string>>>

export const settingsFile = (env: Env): string =>
  join(baseFolder(env, 'XDG_CONFIG_HOME', '.config'), 'plugmark', 'config.json')

/**
 * Reads the stored settings, and what another version stored beside them.
 *
 * @throws Failure when the file exists but cannot be used
 */
export function readSettingsFile(file: string): Readonly<Record<string, unknown>> {
  try {
    const stored: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof stored !== 'object' || stored === null) throw new Error('not an object')
    return { ...stored }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || (error as NodeJS.ErrnoException).code === 'ENOTDIR')
      return {}
    throw new Failure('usage', ({ failures }) => failures.settingsUnreadable(file))
  }
}

/** Returns the settings that are known among those of the file. */
export const knownSettings = (stored: Readonly<Record<string, unknown>>): StoredSettings =>
  Object.fromEntries(SETTINGS.flatMap((key) => (typeof stored[key] === 'string' ? [[key, stored[key]]] : [])))

export const readStoredSettings = (env: Env): StoredSettings => knownSettings(readSettingsFile(settingsFile(env)))

const VARIABLES: StoredSettings = {
  directory: 'PLUGMARK_API',
  harness: 'PLUGMARK_HARNESS',
  home: 'DSH_HOME',
  registry: 'PLUGMARK_REGISTRY',
}

/** Returns the value of a setting that is in effect, and what gave it: an option, a variable or the stored setting. */
export function inEffect(
  key: (typeof SETTINGS)[number],
  options: GlobalOptions & { readonly profile?: string },
  env: Env,
  stored: StoredSettings,
): { readonly value: string; readonly from: string } | null {
  const variable = VARIABLES[key] ?? ''
  const all = {
    [`--${key}`]: key === 'proxy' || key === 'registry' ? undefined : options[key],
    [variable]: env[variable],
  }
  const given = Object.entries({ ...all, [`plugmark config ${key}`]: stored[key] }).find(([, value]) => value)
  return given ? { from: given[0], value: given[1]! } : null
}

/**
 * Resolves the settings of a run: options come before variables, and variables before stored settings.
 *
 * @throws Failure when an address or a name is invalid
 */
export function resolveSettings(
  options: GlobalOptions,
  env: Env,
  stored: StoredSettings,
): HostOptions & { readonly stateDir: string; readonly addressSource: string | null } {
  const [directory, harness, home, registry] = (['directory', 'harness', 'home', 'registry'] as const).map((key) =>
    inEffect(key, options, env, stored),
  )
  const { from: addressSource, value: baseUrl } = directory ?? { from: null, value: BASE_URL }
  try {
    validateBaseUrl(baseUrl)
  } catch {
    throw new Failure('usage', ({ failures }) => failures.address(withoutLogin(baseUrl), addressSource))
  }
  return {
    addressSource,
    baseUrl,
    stateDir: stateFolder(env),
    env,
    ...(harness && { command: commandOf(harness.value) }),
    // The host reads the harness's own variable itself.
    ...(home && home.from !== VARIABLES.home && { home: home.value }),
    ...(registry && { registry: registry.value }),
    ...(stored.proxy ? { proxy: stored.proxy } : {}),
  }
}

/** Returns the command of a program on PATH or at a path; scripts run with the current Node. */
export function commandOf(harness: string): readonly string[] {
  const file = /[/\\]/.test(harness) ? resolve(harness) : harness
  return /\.[cm]?js$/.test(file) ? [process.execPath, resolve(file)] : [file]
}

/** Returns the folder of the stored index. */
export const stateFolder = (env: Env): string =>
  join(baseFolder(env, 'XDG_STATE_HOME', join('.local', 'state')), 'plugmark')

/** Returns a base folder by XDG, or %LOCALAPPDATA% on Windows. */
function baseFolder(env: Env, variable: 'XDG_STATE_HOME' | 'XDG_CONFIG_HOME', fallback: string): string {
  const base = env[variable]
  // The specification says to ignore a relative path.
  if (base?.startsWith('/')) return base
  if (process.platform === 'win32' && env.LOCALAPPDATA) return env.LOCALAPPDATA
  // HOME may be empty or relative; the account's own folder is neither.
  const home = [env.HOME, homedir()].find((folder) => folder && isAbsolute(folder)) ?? userInfo().homedir
  return join(home, fallback)
}

/** Checks the name of a profile. @throws Failure when no profile can have this name */
export function checkProfileName(name: string): string {
  if (isProfileName(name)) return name
  throw new Failure('usage', ({ failures }) => failures.profileName(name))
}

/** Returns the language of a terminal, from its variables or otherwise from the system. */
export function terminalLocale(env: Readonly<Record<string, string | undefined>>): Locale {
  const named = env.LC_ALL || env.LC_MESSAGES || env.LANG
  return resolveLocale([named ?? new Intl.DateTimeFormat().resolvedOptions().locale])
}

/** Quotes an argument for a shell if needed: cmd.exe and PowerShell know double quotes, and cmd.exe no others. */
function quote(text: string): string {
  if (process.platform === 'win32') return /^[\w@+=:,./\\-]+$/.test(text) ? text : `"${text.replaceAll('"', '\\"')}"`
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/** Renders a command that the user can type. */
export const commandLine = (...words: readonly string[]): string => words.map(quote).join(' ')
