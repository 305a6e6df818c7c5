/** The harness home, and what a search reads of it: without the parsers of the host, which take longer than the search. */
import { readdir, readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** Environment variable that names the harness home. */
export const HOME_VARIABLE = 'DSH_HOME'

/**
 * Returns the harness home: the configured one, otherwise that of the variable, otherwise `~/.<cli>`, as the harness
 * itself resolves it (dsh-home-paths 0.1.0-rc.8).
 */
export function resolveHome(options: {
  readonly configured: string | undefined
  readonly fromEnvironment: string | undefined
  readonly cli: string
}): string {
  const named = options.configured?.trim() || options.fromEnvironment?.trim()
  if (!named) return join(homedir(), `.${options.cli}`)
  if (named === '~') return homedir()
  return resolve(/^~[/\\]/.test(named) ? join(homedir(), named.slice(2)) : named)
}

/** Plugins that a profile loads, and where from, as far as its package.json says. */
interface Loaded {
  readonly layers: readonly string[]
  readonly dependencies: Readonly<Record<string, string>>
}

/** Reads what the profiles of a home load, or one of them. Leaves out a profile whose package.json is not as the harness writes it. */
export async function readLoaded(home: string, profile?: string): Promise<readonly Loaded[]> {
  const folder = join(home, 'profiles')
  const names = profile === undefined ? await readdir(folder).catch((): string[] => []) : [profile]
  return (await Promise.all(names.map((name) => readOne(join(folder, name, 'package.json'))))).flat()
}

async function readOne(path: string): Promise<Loaded[]> {
  try {
    const { dependencies, dsh } = JSON.parse(await readFile(path, 'utf8'))
    const layers: unknown = dsh.profile.bundles
    const isRead = Array.isArray(layers) && Object.values(dependencies).every((spec) => typeof spec === 'string')
    return isRead ? [{ layers, dependencies }] : []
  } catch {
    return []
  }
}
