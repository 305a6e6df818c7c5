import { existsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { HostOptions } from '../host/index.ts'

/**
 * Home and profile that a harness runs from, by the address its tree is anchored at: `<home>/profiles/<profile>/`.
 *
 * @returns nothing where that is no profile, as in a tree that somebody put together by hand
 */
export function placeOf(baseUrl: string | undefined): Pick<HostOptions, 'home' | 'profile'> {
  if (!baseUrl?.startsWith('file:')) return {}
  const profile = fileURLToPath(baseUrl).replace(/[/\\]+$/, '')
  if (basename(dirname(profile)) !== 'profiles') return {}
  return { home: dirname(dirname(profile)), profile: basename(profile) }
}

/**
 * The program that this harness was started with, so that installs and trials use the same one. A harness that is packed
 * into one executable names a path inside it as its script; the executable alone starts it.
 *
 * @param isPacked as `node:sea` says
 * @returns nothing where it was not started as a script of Node; then the name of the program must be on PATH
 */
export function commandOf(argv: readonly string[], execPath: string, isPacked: boolean): Pick<HostOptions, 'command'> {
  if (isPacked) return { command: [execPath] }
  const script = argv[1]
  return script && /\.[cm]?js$/.test(script) && existsSync(script) ? { command: [execPath, script] } : {}
}

/**
 * What a person types to start this harness again.
 *
 * @param argv as `process.argv`
 * @returns nothing where an argument would have to be quoted, which each shell does in its own way
 */
export function restartOf(argv: readonly string[], cli: string): Pick<HostOptions, 'restart'> {
  const args = argv.slice(2)
  return args.every((arg) => /^[\w./:=@-]+$/.test(arg)) ? { restart: [cli, ...args].join(' ') } : {}
}

/** The package that a module is installed in, by its own address; null for one that is in none. */
export function packageOf(moduleUrl: string): string | null {
  return /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(moduleUrl)?.[1] ?? null
}
