import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import runtimes from './runtimes.json' with { type: 'json' }

/** 0.1.0-rc.8 is on npm and is what e2e/harness installs; the others are executables from PyPI, fetched by set-up. */
export type HarnessVersion = '0.1.0-rc.8' | keyof typeof runtimes

/** All versions, oldest first. */
export const HARNESS_VERSIONS = ['0.1.0-rc.8', ...Object.keys(runtimes)] as readonly HarnessVersion[]

/** Returns true if a harness applies changes of its profile while it runs, and can enable and disable plugins. */
export const isLive = (version: HarnessVersion): boolean => version.startsWith('0.2.')

export interface HarnessProgram {
  /** Program and leading arguments, for `spawn` without a shell. */
  readonly command: readonly string[]
  /** Environment variables that this version needs in addition. */
  readonly env: Readonly<Record<string, string>>
}

const folder = fileURLToPath(new URL('./', import.meta.url))
const bin = join(folder, 'node_modules/@deepseek-ai/dsh/lib/bin.js')

/** An invalid key: without one, a dialog asks for it, or for a log-in, and covers the page. */
const KEY = { DEEPSEEK_API_KEY: 'sk-of-a-test' }

/** Returns the command that starts a harness of this version. */
export function harnessProgram(version: HarnessVersion): HarnessProgram {
  if (version === '0.1.0-rc.8') return { command: [process.execPath, bin], env: KEY }
  return {
    // By the command, as a store in another program passes on no options of Node.
    command: ['env', `NODE_OPTIONS=--require ${JSON.stringify(join(folder, 'packed.cjs'))}`, executable(version)],
    env: KEY,
  }
}

/** Returns the reason why a harness cannot be started here; null when it can. */
export function missingHarness(version: HarnessVersion): string | null {
  if (version === '0.1.0-rc.8')
    return existsSync(bin) ? null : 'The harness is not installed: run `npm ci` in e2e/harness, or `npm run test:e2e`.'
  return existsSync(join(folder, 'runtimes', version, 'complete'))
    ? null
    : `Harness ${version} is not here. \`npm run test:e2e\` fetches it on Linux x64 where Python 3 has pip.`
}

const executable = (version: string) =>
  join(folder, 'runtimes', version, 'deepseek_harness_runtime/runtime/deepseek-harness-sdk-runtime-linux-x64')

/** The oldest Node that a manifest of ours allows: an optional package of the console's and the harness's own install. */
export const LOWEST_NODE = join(folder, '../console/node_modules/node-20-linux-x64/bin/node')
/** The oldest that the harness allows, and so the store in it. */
export const LOWEST_NODE_OF_HARNESS = join(folder, 'node_modules/node-22-linux-x64/bin/node')

/** Returns true where both can run. */
export const hasLowestNode = (): boolean => existsSync(LOWEST_NODE) && existsSync(LOWEST_NODE_OF_HARNESS)
