import { readFileSync, realpathSync, statSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { isSea } from 'node:sea'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { DEFAULTS } from '@plugmark/shared/contract'
import type { HarnessCommand, HostOptions } from '../host/index.ts'
import {
  mayHaveUpdates as profileMayHaveUpdates,
  mayHaveUpgraded as profileMayHaveUpgraded,
} from '../host/plugins/news.ts'

/**
 * Returns the home and the profile that a harness runs from, by the base address of its tree:
 * `<home>/profiles/<profile>/`.
 *
 * @returns no values if that is not a profile, for example in a tree that the user wrote by hand
 */
export function locateProfile(baseUrl: string | undefined): Pick<HostOptions, 'home' | 'profile'> {
  if (!baseUrl?.startsWith('file:')) return {}
  const profile = fileURLToPath(baseUrl).replace(/[/\\]+$/, '')
  if (basename(dirname(profile)) !== 'profiles') return {}
  return { home: dirname(dirname(profile)), profile: basename(profile) }
}

/** Returns the package of a module by its address; null if it is not in a package. */
export function packageOf(moduleUrl: string): string | null {
  return /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(moduleUrl)?.[1] ?? null
}

/**
 * Returns true if this harness may be another version than the one that ran from the profile when the store last looked.
 *
 * @param baseUrl address of the base folder of the tree
 */
export async function mayHaveUpgraded(baseUrl: string | undefined): Promise<boolean> {
  const { home, profile } = locateProfile(baseUrl)
  if (home === undefined || profile === undefined) return false
  const { argv, execPath } = process
  const program = programOf({ argv, execPath, isPacked: isSea() })
  return profileMayHaveUpgraded(home, join(home, 'profiles', profile), program)
}

/** Returns true if the store has something to say about updates of this harness's profile. */
export async function mayHaveUpdates(baseUrl: string | undefined): Promise<boolean> {
  const { home, profile } = locateProfile(baseUrl)
  return (
    home !== undefined && profile !== undefined && profileMayHaveUpdates(join(home, 'profiles', profile), Date.now())
  )
}

// The program that was started

/** Script of Desktop's host. Source: code of 0.2. */
const DESKTOP_HOST = /dsh-desktop-host[/\\]lib[/\\]index\.js$/

export interface HarnessProcess {
  readonly argv: readonly string[]
  readonly execPath: string
  /** True for a single executable with its scripts inside, according to `node:sea`. */
  readonly isPacked: boolean
  readonly isElectron: boolean
}

/**
 * Returns the command of this harness's command line, so that installs and trials use the same program.
 *
 * - A packed executable has a path inside itself as its script, and is started without it.
 * - Desktop runs its host in Electron, and has the command line beside the host's script.
 * - Otherwise the started script, with links such as those of `node_modules/.bin` resolved, is the command line if its
 *   own package says so. Another program may embed the harness.
 *
 * @returns null if none of these applies; then `dsh` on PATH is the best guess
 */
export function commandOf({ argv, execPath, isPacked, isElectron }: HarnessProcess): HarnessCommand | null {
  if (isPacked) return { command: [execPath] }
  const script = argv[1] === undefined ? null : realPath(argv[1])
  if (script === null) return null
  if (isElectron) {
    if (!DESKTOP_HOST.test(script)) return null
    const cli = realPath(join(dirname(script), 'cli.js'))
    return cli === null ? null : { command: [execPath, '--expose-internals', cli], env: { ELECTRON_RUN_AS_NODE: '1' } }
  }
  return isCommandLine(script) ? { command: [execPath, script] } : null
}

/** Returns true if the script's package declares it as its program with the harness's name. */
function isCommandLine(script: string): boolean {
  try {
    const file = findPackageJSON(pathToFileURL(script)) ?? ''
    const { bin } = JSON.parse(readFileSync(file, 'utf8'))
    const path: unknown = typeof bin === 'string' ? bin : bin?.[DEFAULTS.cli]
    return typeof path === 'string' && realPath(join(dirname(file), path)) === script
  } catch {
    return false
  }
}

/**
 * Returns the identity of this harness's program, which changes when an upgrade replaces its file, even by one of the
 * same size and date.
 */
export function programOf({ argv, execPath, isPacked }: Omit<HarnessProcess, 'isElectron'>): string {
  const path = (isPacked || argv[1] === undefined ? null : realPath(argv[1])) ?? execPath
  const { ino, size, ctimeMs } = statSync(path)
  return [path, ino, size, ctimeMs].join(' ')
}

/** Resolves links in a path; null if it does not exist. */
function realPath(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}

/**
 * Returns the command that the user typed to start this harness.
 *
 * @returns no value if it is unknown: for an executable of any name, an app, a program that embeds the harness; and if
 *   an argument needs quotes, which differ between shells
 */
export function restartOf(started: HarnessProcess, cli: string): Pick<HostOptions, 'startedAs'> {
  const args = started.argv.slice(2)
  const isTyped = !started.isPacked && !started.isElectron && commandOf(started) !== null
  return isTyped && args.every((arg) => /^[\w./:=@-]+$/.test(arg)) ? { startedAs: [cli, ...args].join(' ') } : {}
}
