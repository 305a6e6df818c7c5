import { readFileSync, realpathSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DEFAULTS } from '@plugmark/shared/contract'
import type { HarnessCommand, HostOptions } from '../host/index.ts'

/** The script that Desktop starts its host with. Source: 0.2, as read. */
const DESKTOP_HOST = /dsh-desktop-host[/\\]lib[/\\]index\.js$/

/** How this process was started. */
export interface Started {
  /** As `process.argv`. */
  readonly argv: readonly string[]
  readonly execPath: string
  /** Whether it is a program and its scripts in one executable, as `node:sea` says. */
  readonly isPacked: boolean
  readonly isElectron: boolean
}

/**
 * How this harness's command line is started, so that installs and trials use the very same program.
 *
 * - A packed executable names a path inside itself as its script; the executable alone starts it.
 * - Desktop runs its host by Electron, and has the command line beside the host's script.
 * - Else the script that was started, once links such as those of `node_modules/.bin` are followed, is the command line
 *   if its own package says so. Another program may have the harness in it.
 *
 * @returns null where nothing of that fits; then `dsh` on PATH is the best guess
 */
export function commandOf({ argv, execPath, isPacked, isElectron }: Started): HarnessCommand | null {
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

/** Whether a package declares this script as its program of the harness's name. */
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

/** Null where nothing is. */
function realPath(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}

/**
 * What a person typed to start this harness.
 *
 * @returns nothing where that is not known: for an executable of any name, an app, a program that has the harness in it;
 *   and where an argument would have to be quoted, which each shell does in its own way
 */
export function restartOf(started: Started, cli: string): Pick<HostOptions, 'startedAs'> {
  const args = started.argv.slice(2)
  const isTyped = !started.isPacked && !started.isElectron && commandOf(started) !== null
  return isTyped && args.every((arg) => /^[\w./:=@-]+$/.test(arg)) ? { startedAs: [cli, ...args].join(' ') } : {}
}
