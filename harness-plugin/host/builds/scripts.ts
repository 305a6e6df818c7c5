import { access, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { askProgram } from '../process/ask.ts'

/** What runs when a package is installed, and what runs besides when a repository is made a package first. */
const INSTALL = ['preinstall', 'install', 'postinstall']
const PREPARE = ['prepublish', 'prepare', 'prepack', 'publish']
const LIMIT_MS = 30_000

const PackageSchema = v.object({
  version: v.optional(v.string()),
  scripts: v.optional(v.record(v.string(), v.string()), {}),
})

export type Scripts = Readonly<Record<string, string>>

/** The build scripts of a package in a profile's node_modules; empty when it is not there in this version. */
export async function installedScripts(profile: string, name: string, version: string | null): Promise<Scripts> {
  const directory = join(profile, 'node_modules', name)
  try {
    const { version: is, scripts } = v.parse(
      PackageSchema,
      JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')),
    )
    if (version !== null && version !== is) return {}
    const found = pick(scripts, INSTALL)
    const compiles = !found.preinstall && !found.install && (await isThere(join(directory, 'binding.gyp')))
    return compiles ? { ...found, install: 'node-gyp rebuild' } : found
  } catch {
    return {}
  }
}

/**
 * The scripts that make a repository a package, at one commit.
 *
 * @returns empty when it cannot be had
 */
export async function repositoryScripts(
  repository: { readonly url: string; readonly commit: string },
  process: { readonly env: Readonly<Record<string, string>>; readonly signal: AbortSignal },
): Promise<Scripts> {
  try {
    const text = await repositoryFile('package.json', { ...repository, ...process, timeLimitMs: LIMIT_MS })
    const { scripts } = v.parse(PackageSchema, JSON.parse(text ?? ''))
    return pick(scripts, [...INSTALL, ...PREPARE])
  } catch {
    return {}
  }
}

/**
 * A file of a repository at one commit. Nothing of it is checked out.
 *
 * @param repository.commit a commit, or `HEAD` for the newest of the default branch
 * @returns null when it cannot be had
 */
export async function repositoryFile(
  path: string,
  repository: {
    readonly url: string
    readonly commit: string
    readonly env: Readonly<Record<string, string>>
    readonly signal: AbortSignal
    readonly timeLimitMs: number
  },
): Promise<string | null> {
  const { url, commit, env, signal } = repository
  const until = performance.now() + repository.timeLimitMs
  const cwd = await mkdtemp(join(tmpdir(), 'plugmark-scripts-'))
  const git = (...args: string[]) => askProgram(['git', ...args], cwd, { env, signal, until })
  try {
    await git('init', '--quiet', '--bare')
    await git('fetch', '--quiet', '--depth=1', '--', url, commit)
    return await git('show', `FETCH_HEAD:${path}`)
  } finally {
    await rm(cwd, { recursive: true, force: true })
  }
}

const pick = (scripts: Scripts, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(scripts).filter(([name]) => names.includes(name)))

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
