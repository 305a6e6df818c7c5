import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { checkBaseUrl } from '@plugmark/shared/client/core'
import { BASE_URL } from '@plugmark/shared/contract'
import { isProfileName } from '@plugmark/shared/install'
import type { HostOptions } from '../host/index.ts'
import { Failure } from './failure.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Options that every command takes, as they were typed. */
export interface GlobalOptions {
  readonly directory?: string | undefined
  readonly harness?: string | undefined
  readonly home?: string | undefined
}

/** Variables that are read, for `capabilities` and the help. */
export const ENVIRONMENT = {
  PLUGMARK_API: 'Address of the directory, unless --directory says another.',
  PLUGMARK_HARNESS: 'The harness’s program, unless --harness says another.',
  DSH_HOME: 'The harness home, unless --home says another.',
  XDG_STATE_HOME: 'The copy of the directory is kept in the folder plugmark below it.',
  NO_COLOR: 'Turns colour off when it is set.',
  LC_ALL: 'Language of what people read, before LC_MESSAGES and LANG: English or Chinese.',
} as const

/** @throws Failure when an address or a name has no sense */
export function hostOptions(options: GlobalOptions, env: Env): HostOptions & { readonly stateDir: string } {
  const baseUrl = options.directory ?? (env.PLUGMARK_API || BASE_URL)
  try {
    checkBaseUrl(baseUrl)
  } catch {
    throw new Failure('usage', ({ failures }) => failures.address(baseUrl))
  }
  const harness = options.harness ?? env.PLUGMARK_HARNESS
  return {
    baseUrl,
    stateDir: stateFolder(env),
    env,
    ...(harness ? { command: commandOf(harness) } : {}),
    ...(options.home ? { home: options.home } : {}),
  }
}

/** A program on PATH or at a path; a script is started by this very Node. */
export function commandOf(harness: string): readonly string[] {
  const file = /[/\\]/.test(harness) ? resolve(harness) : harness
  return /\.[cm]?js$/.test(file) ? [process.execPath, resolve(file)] : [file]
}

/** Where the copy of the directory is kept: by XDG, except on Windows. */
export function stateFolder(env: Env): string {
  const base = env.XDG_STATE_HOME
  // A relative path is to be ignored, says the specification.
  if (base?.startsWith('/')) return join(base, 'plugmark')
  if (process.platform === 'win32' && env.LOCALAPPDATA) return join(env.LOCALAPPDATA, 'plugmark')
  return join(env.HOME || homedir(), '.local', 'state', 'plugmark')
}

/** @throws Failure */
export function checkProfileName(name: string): string {
  if (isProfileName(name)) return name
  throw new Failure('usage', ({ failures }) => failures.profileName(name))
}
